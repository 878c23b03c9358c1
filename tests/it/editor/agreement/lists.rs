//! The two fixed lists of exceptions: what no operation tells the bench before sending, and where it refuses
//! what the service would accept.

use draft::{AddressMode, Draft, Field, ItemSource, Party, Problem};
use shipping::ServiceError;

/// What carriers say once every rule holds.
pub(super) const CARRIERS_ALONE: &[&str] = &[
    "No prices were found",
    "Route is not Dangerous Goods route",
    "does not accept a carrier consignment id",
    "does not accept carrier item references",
    "is not in the carrier's format",
];

/// Limits that no operation reports, so that only sending shows them.
const NOT_LISTED: &[&str] = &[
    "suburb and postcode combination is invalid",
    "company location",
    "abbreviation",
    "No saved item has the SKU",
    "Saved item",
    "Stored dangerous goods",
    "Several Hazchem codes exist",
    "is not served",
    "must be a known classification",
    "Dangerous goods are not enabled for this company",
];

/// What the lookup would have said, had it been asked.
const OF_THE_LOOKUP: &[&str] = &[
    "is not valid",
    "is of class",
    "has no subsidiary class",
    "needs a technical or chemical group name",
    "A flash point is required for class 3",
    "carrier account",
];

/// What a saved item brings along that the bench was never told of.
const OF_SAVED_ITEMS: &[&str] = &[
    "have been declared yet",
    "One carrier item reference is required",
    "A consignment holds at most",
    "for New Zealand domestic shipments",
];

/// True where the bench could not know.
pub(super) fn is_unknowable(error: &ServiceError, draft: &Draft, told: bool) -> bool {
    let says = |list: &[&str]| list.iter().any(|words| error.error_message.contains(words));
    let saved = |line: &draft::GoodsLine| {
        line.source != ItemSource::Direct
            || !line.sku.is_empty()
            || line.dangerous.iter().any(draft::DgLine::is_stored)
    };
    // A saved location's, or that of a suburb which the clerk takes for one at home.
    let unknown_country =
        |side: &Party| side.mode == AddressMode::Saved || side.place.starts_with("Hamilton");
    says(CARRIERS_ALONE)
        || says(NOT_LISTED)
        || !told && says(OF_THE_LOOKUP)
        || draft.goods.iter().any(saved) && says(OF_SAVED_ITEMS)
        || (unknown_country(&draft.from) || unknown_country(&draft.to))
            && says(&[
                "isInternational must be true",
                "Both locations are in Australia",
                "must be in Australia",
            ])
}

/// Where the bench refuses on purpose what the service would take, by a piece of its words.
const STRICTER: &[&str] = &[
    // Text that no label or customs form shows as it was meant.
    "line break",
    "Remove the",
    "characters: this text has",
    // Formats that the service does not check.
    "phone number",
    "not an e-mail address",
    "HS code",
    "country from the list",
    // Numbers that could mean something else, or more than is ever carried.
    "comma before three digits",
    "decimals",
    "At most 1,000",
    "Enter a whole number",
    "is a whole number",
    "Enter a number, like",
    // Despatch: the service changes a past time to now, and accepts times skipped or repeated by daylight
    // saving.
    "has already passed",
    "the clocks go",
    "Enter a time",
    // Kinds go by name: the service takes their numbers, too.
    "a packaging type",
    // The clerk confirms what is in it.
    "Declare the dangerous goods",
    // Options without a meaning.
    "Enter the option's value",
    "Enter the option's name",
    "true or false",
    "Enter the technical name",
    // The country that the clerk named, where the suburb is in another.
    "must be in Australia",
    "New Zealand requires",
    "a description for customs",
];

pub(super) fn is_stricter(problem: &Problem, draft: &Draft) -> bool {
    // A typed line whose SKU happens to be a saved item's: the service fills it in, and the clerk did not ask for that.
    if let Field::Goods(line, _) = problem.field
        && draft
            .goods
            .get(line)
            .is_some_and(|line| !line.sku.is_empty())
    {
        return true;
    }
    STRICTER.iter().any(|words| problem.message.contains(words))
}
