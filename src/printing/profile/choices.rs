//! The choices in a profile: printer languages, paper sizes, fitting and kinds of document.

use serde::{Deserialize, Serialize};

/// Declares a list of choices in the order in which the screen offers them, each with its name there.
macro_rules! choices {
    ($(#[$about:meta])* $list:ident { $($(#[$doc:meta])* $choice:ident: $name:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $list {
            $($(#[$doc])* $choice,)*
        }

        impl $list {
            /// All choices, in the order in which the screen offers them.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$choice),*];

            /// The name shown on the screen.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$choice => $name,)*
                }
            }
        }
    };
}

choices! {
    /// The language or format of the bytes that a printer is given.
    #[derive(Default)]
    Language {
        /// Our bitmaps in Zebra's language.
        #[default]
        Zpl: "ZPL",
        /// Our bitmaps in TSC's language, which many other printers speak too.
        Tspl: "TSPL",
        /// Our bitmaps in Eltron's language, for older Zebra printers.
        Epl: "EPL",
        /// Our bitmaps as an image, for a queue with its own driver.
        PageImage: "Page image",
        /// The document itself, which the print service or the printer renders.
        Pdf: "PDF",
    }
}

impl Language {
    /// Returns whether a queue with a driver can print this language. Windows passes a PDF to the printer
    /// unchanged, which then prints its source.
    pub const fn is_printable_by_driver(self) -> bool {
        !(matches!(self, Self::Pdf) && cfg!(windows))
    }

    /// The usual extension of files.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Zpl => "zpl",
            Self::Tspl => "tspl",
            Self::Epl => "epl",
            Self::PageImage => "png",
        }
    }

    /// Returns whether the printer itself interprets the bytes. A driver in between would print their
    /// source as text.
    pub const fn is_raw(self) -> bool {
        matches!(self, Self::Zpl | Self::Tspl | Self::Epl)
    }

    /// Returns whether the printer gets our own bitmaps, which we fit, shift and preview.
    pub const fn is_dots(self) -> bool {
        !matches!(self, Self::Pdf)
    }
}

choices! {
    /// A paper size.
    #[derive(Default)]
    Media {
        /// 105 × 148 mm, the usual label.
        #[default]
        A6: "A6",
        /// 100 × 150 mm.
        #[serde(rename = "100x150_mm")]
        Mm100x150: "100 × 150 mm",
        /// 4 × 6 inches, the usual label in America.
        #[serde(rename = "4x6_inch")]
        Inch4x6: "4 × 6 inch",
        /// 210 × 297 mm.
        A4: "A4",
    }
}

impl Media {
    /// Width and height in millimetres.
    pub const fn size_mm(self) -> (f64, f64) {
        match self {
            Self::A6 => (105.0, 148.0),
            Self::A4 => (210.0, 297.0),
            Self::Inch4x6 => (101.6, 152.4),
            Self::Mm100x150 => (100.0, 150.0),
        }
    }

    /// The name in the Internet Printing Protocol and CUPS (PWG 5101.1).
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::A6 => "iso_a6_105x148mm",
            Self::A4 => "iso_a4_210x297mm",
            Self::Inch4x6 => "na_index-4x6_4x6in",
            Self::Mm100x150 => "om_small-photo_100x150mm",
        }
    }
}

choices! {
    /// The treatment of a page that is larger than the printable area.
    #[derive(Default)]
    FitMode {
        /// Blank edges are cropped. If that is not enough, the page is rendered smaller.
        #[default]
        Fit: "Fit to the paper",
        /// The page keeps its size and loses its edges if every code can still be read; otherwise it
        /// is rendered smaller.
        Crop: "Full size, cut the edges",
    }
}

choices! {
    /// The kinds of document that a profile may contain. Settings also keep kinds that are not printed yet.
    DocumentKind {
        /// One label for each item.
        ItemLabels: "Item labels",
        /// A label for the consignment as a whole.
        ConsignmentLabel: "Consignment label",
        /// The manifest that the driver signs.
        Manifest: "Manifest",
        /// Customs forms, dangerous goods declarations and other accompanying documents.
        Papers: "Papers",
    }
}

impl DocumentKind {
    /// The kinds that Packbench prints today, in the order of the screen.
    pub const OFFERED: [Self; 2] = [Self::ItemLabels, Self::Manifest];

    /// The name in the middle of a sentence.
    pub const fn name_in_sentence(self) -> &'static str {
        match self {
            Self::ItemLabels => "labels",
            Self::ConsignmentLabel => "consignment labels",
            Self::Manifest => "manifests",
            Self::Papers => "papers",
        }
    }
}
