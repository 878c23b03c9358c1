//! The few words that a profile is made of: languages, papers, documents. Screens know them too.

use serde::{Deserialize, Serialize};

/// What a printer is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// The document itself; the print service or the printer draws it.
    Pdf,
    /// Our dots in Zebra's language.
    #[default]
    Zpl,
    /// Our dots in TSC's language, which many others speak too.
    Tspl,
    /// Our dots in Eltron's language, of older Zebras.
    Epl,
    /// Our dots as a picture, for a queue with a driver of its own.
    PageImage,
}

impl Language {
    /// All of them, as they are offered.
    pub const ALL: [Self; 5] = [Self::Zpl, Self::Tspl, Self::Epl, Self::PageImage, Self::Pdf];

    /// Whether a queue with a driver prints it. Windows spools a document as it is, and a printer burns its source.
    pub const fn passes_drivers(self) -> bool {
        !(matches!(self, Self::Pdf) && cfg!(windows))
    }

    /// What a queue with a driver is given where nothing else is known.
    pub const fn for_drivers() -> Self {
        if Self::Pdf.passes_drivers() {
            Self::Pdf
        } else {
            Self::PageImage
        }
    }

    /// Its name on the screen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pdf => "PDF",
            Self::Zpl => "ZPL",
            Self::Tspl => "TSPL",
            Self::Epl => "EPL",
            Self::PageImage => "Page image",
        }
    }

    /// The usual ending of files.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Zpl => "zpl",
            Self::Tspl => "tspl",
            Self::Epl => "epl",
            Self::PageImage => "png",
        }
    }

    /// Whether the printer itself reads it: a driver between would print its source as text.
    pub const fn is_raw(self) -> bool {
        matches!(self, Self::Zpl | Self::Tspl | Self::Epl)
    }

    /// Whether what is burnt are our own dots: previewed, fitted and moved by us.
    pub const fn is_dots(self) -> bool {
        !matches!(self, Self::Pdf)
    }
}

/// Which paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Media {
    /// 105 × 148 mm, the usual label.
    #[default]
    A6,
    /// 210 × 297 mm.
    A4,
    /// 4 × 6 inches, the usual label of America.
    #[serde(rename = "4x6_inch")]
    Inch4x6,
    /// 100 × 150 mm.
    #[serde(rename = "100x150_mm")]
    Mm100x150,
}

impl Media {
    /// All of them, as they are offered.
    pub const ALL: [Self; 4] = [Self::A6, Self::Mm100x150, Self::Inch4x6, Self::A4];

    /// Width and height in millimetres.
    pub const fn size_mm(self) -> (f64, f64) {
        match self {
            Self::A6 => (105.0, 148.0),
            Self::A4 => (210.0, 297.0),
            Self::Inch4x6 => (101.6, 152.4),
            Self::Mm100x150 => (100.0, 150.0),
        }
    }

    /// Its name on the screen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::A6 => "A6",
            Self::A4 => "A4",
            Self::Inch4x6 => "4 × 6 inch",
            Self::Mm100x150 => "100 × 150 mm",
        }
    }

    /// As the Internet Printing Protocol and CUPS call it (PWG 5101.1).
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::A6 => "iso_a6_105x148mm",
            Self::A4 => "iso_a4_210x297mm",
            Self::Inch4x6 => "na_index-4x6_4x6in",
            Self::Mm100x150 => "om_small-photo_100x150mm",
        }
    }
}

/// What becomes of a page that is larger than what the printer can print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fitting {
    /// Blank edges are left off; where that is not enough it is drawn smaller.
    #[default]
    Fit,
    /// It keeps its size and loses its edges, as long as every code on it still reads; else it is drawn smaller.
    Crop,
}

impl Fitting {
    /// Both, as they are offered.
    pub const ALL: [Self; 2] = [Self::Fit, Self::Crop];

    /// Its name on the screen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fit => "Fit to the paper",
            Self::Crop => "Full size, cut the edges",
        }
    }
}

/// What the bench prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    /// A label for each item.
    ItemLabels,
    /// The label of the consignment as a whole.
    ConsignmentLabel,
    /// The manifest that the driver signs.
    Manifest,
    /// Customs, dangerous goods and whatever else goes along.
    Papers,
}

impl DocumentKind {
    /// What Packbench prints today, as it is listed.
    pub const OFFERED: [Self; 2] = [Self::ItemLabels, Self::Manifest];

    /// All that a profile may hold: settings keep what nothing is printed of yet.
    pub const ALL: [Self; 4] = [
        Self::ItemLabels,
        Self::ConsignmentLabel,
        Self::Manifest,
        Self::Papers,
    ];

    /// Its name on the screen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ItemLabels => "Item labels",
            Self::ConsignmentLabel => "Consignment label",
            Self::Manifest => "Manifest",
            Self::Papers => "Papers",
        }
    }

    /// In the middle of a sentence.
    pub const fn words(self) -> &'static str {
        match self {
            Self::ItemLabels => "labels",
            Self::ConsignmentLabel => "consignment labels",
            Self::Manifest => "manifests",
            Self::Papers => "papers",
        }
    }
}
