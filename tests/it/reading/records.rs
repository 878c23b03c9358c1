//! Parts of the interface's records that are tested on their own: file names, kinds of documents, countries, and the
//! addresses of tracking pages.

use shipping::{
    CountryCode, DocumentKind as Kind, NotACountry, TrackingBases, TrackingDesign,
    TrackingPageError, file_name,
};

#[test]
fn a_name_is_made_of_harmless_characters_only() {
    for (parts, name) in [
        (&["POD", "MS123", "45"][..], "POD-MS123-45.pdf"),
        (&["MS123"], "MS123.pdf"),
        (&["../../etc/passwd"], "etcpasswd.pdf"),
        (&["C:\\Windows", "a\0b"], "CWindows-ab.pdf"),
        (&["..", "/", ""], "file.pdf"),
        (&["nul"], "filenul.pdf"),
        (&["COM1"], "fileCOM1.pdf"),
    ] {
        assert_eq!(file_name(parts, "pdf"), name);
    }
}

#[test]
fn the_bytes_tell_and_nothing_else() {
    let cases: [(&[u8], Kind); 16] = [
        (b"%PDF-1.7\n", Kind::Pdf),
        (b"\xFF\xD8\xFF\xE0", Kind::Jpeg),
        (b"GIF89a", Kind::Gif),
        (b"II\x2A\x00", Kind::Tiff),
        (b"RIFF\0\0\0\0WEBPVP8 ", Kind::WebP),
        (b"<?xml version='1.0'?><SVG onload='x()'>", Kind::Svg),
        (b"  <!DOCTYPE html><p>Sign in", Kind::WebPage),
        (b"\xEF\xBB\xBF<HTML>", Kind::WebPage),
        (b"MZ\x90\0", Kind::Program),
        (b"\x7FELF\x02", Kind::Program),
        (b"#!/bin/sh\nrm -rf ~", Kind::Program),
        (b"PK\x03\x04......[Content_Types].xml", Kind::Office),
        (b"PK\x03\x04......inner.pdf", Kind::Archive),
        (b"\x1F\x8B\x08", Kind::Archive),
        (b"", Kind::Other),
        (b"Signed by J. Okafor", Kind::Other),
    ];
    for (bytes, kind) in cases {
        assert_eq!(Kind::from_bytes(bytes), kind, "{bytes:?}");
    }
}

#[test]
fn what_can_run_keeps_no_ending_that_runs() {
    for kind in [Kind::Svg, Kind::Office, Kind::Archive, Kind::Other] {
        assert_eq!(kind.ending(), Some("bin"));
    }
    assert_eq!(
        (Kind::WebPage.ending(), Kind::Program.ending()),
        (None, None)
    );
}

#[test]
fn a_country_is_three_letters_and_nothing_else() {
    assert_eq!(CountryCode::new(" aus "), Ok(CountryCode::AUSTRALIA));
    assert_eq!(CountryCode::AUSTRALIA.to_string(), "AUS");
    for text in ["AU", "AUST", "A1S", "", "Ä€"] {
        assert_eq!(CountryCode::new(text), Err(NotACountry), "{text}");
    }
}

#[test]
fn a_page_is_a_base_and_a_token_and_nothing_that_leads_elsewhere() {
    let bases = TrackingBases {
        v2: Some("https://track.example/v2/".to_owned()),
        ..TrackingBases::default()
    };
    let page = |design, token| bases.browser_url(design, token);
    let modern = Ok("https://track.example/v2/a1B2-c3".to_owned());
    assert_eq!(page(TrackingDesign::Modern, "a1B2-c3"), modern);
    let none = page(TrackingDesign::Traditional, "a1");
    assert_eq!(none, Err(TrackingPageError::NotSet));
    for (address, token) in [
        ("https://track.example/v2/a1B2-c3", Some("a1B2-c3")),
        (
            "HTTP://Track.Example/v2/a1B2-c3/?from=mail",
            Some("a1B2-c3"),
        ),
        ("https://track.example/v2/", None),
        ("https://track.example/v20/a1", None),
        ("https://track.example.evil/v2/a1", None),
        ("https://elsewhere.example/track.example/v2/a1", None),
        ("a1B2-c3", None),
    ] {
        assert_eq!(bases.token_from_url(address), token, "{address}");
    }
    assert_eq!(TrackingBases::default().token_from_url("/a1"), None);
    for token in ["", "../admin", "a b", "a?x=1", "MS1/../2"] {
        let page = page(TrackingDesign::Modern, token);
        assert_eq!(page, Err(TrackingPageError::NoToken), "{token}");
    }
}

#[test]
fn a_browser_is_sent_to_safe_addresses_only() {
    let at = |base: &str| {
        let bases = TrackingBases {
            v2: Some(base.to_owned()),
            ..TrackingBases::default()
        };
        bases.browser_url(TrackingDesign::Modern, "a1B2-c3")
    };
    for base in [
        "https://track.example/v2",
        "http://127.0.0.1:4010/v2/track",
        "http://[::1]/t",
    ] {
        assert_eq!(at(base), Ok(format!("{base}/a1B2-c3")));
    }
    for base in [
        "http://track.example/v2",
        "http://localhost.example/",
        "file:///etc",
        "javascript:alert(1)//",
        "https://name:word@track.example",
        "https://track.example/?next=",
        "track.example",
    ] {
        assert_eq!(at(base), Err(TrackingPageError::NotSafe), "{base}");
    }
    assert_eq!(at("  "), Err(TrackingPageError::NotSet));
}

#[test]
fn the_short_address_and_the_other_design_stand_in() {
    let short = TrackingBases {
        v1_short: Some("https://t.example".to_owned()),
        ..TrackingBases::default()
    };
    let design = short.default_design();
    assert_eq!(design, TrackingDesign::Traditional);
    assert_eq!(
        short.browser_url(design, "a1").as_deref(),
        Ok("https://t.example/a1")
    );
    assert_eq!(
        short.browser_url(design, "../a"),
        Err(TrackingPageError::NoToken)
    );
    let none = TrackingBases::default();
    assert_eq!(
        none.browser_url(none.default_design(), "a1"),
        Err(TrackingPageError::NotSet)
    );
}
