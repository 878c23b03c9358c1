//! The work behind Help: collects the support bundle, and checks for a newer version.

use std::sync::Arc;
use std::time::Duration;

use crate::config::SystemInfo;
use crate::core::Core;
use crate::doctor::collect_bundle;
use crate::service::Service;
use crate::state::{Environment, Notice, Tone};
use crate::support_bundle::SupportBundle;
use client::{Release, newest_release};
use engine::{EngineError, Remote};
use semver::Version;

/// Time between two checks for a newer version.
const CHECK_EVERY: Duration = Duration::from_hours(24);

/// Start of the headline of the notice about a newer version.
const NEWER: &str = "There is a newer version: ";

/// The state of Help and of the tour.
#[derive(Default)]
pub struct HelpView {
    /// Version of this program, with commit and date.
    pub version: &'static str,
    /// True at the first start of an installation, which begins with the tour.
    pub is_first_start: bool,
    /// Address of the check for newer versions; `None` if there is no check.
    pub update_address: Option<String>,
    /// The newest version at that address.
    pub newest: Remote<Release>,
    pub bundle: Remote<Arc<SupportBundle>>,
}

impl HelpView {
    /// Returns the newest version if it is newer than this program.
    pub fn newer(&self) -> Option<&Release> {
        let newest = self.newest.value()?;
        // Commit and date follow our version.
        let ours = self.version.split(' ').next().unwrap_or_default();
        let ours = Version::parse(ours).ok()?;
        (newest.version > ours).then_some(newest)
    }
}

/// State that the screens do not read.
pub(super) struct HelpUpdate {
    system_info: SystemInfo,
    service: Service,
    /// When to check for a newer version.
    pub(super) due: Duration,
}

impl HelpUpdate {
    pub(super) fn new(system_info: &SystemInfo, service: &Service) -> Self {
        Self {
            system_info: system_info.clone(),
            service: service.clone(),
            due: Duration::ZERO,
        }
    }
}

impl Core {
    pub(super) fn collect_bundle(&mut self) {
        let (places, system_info) = (self.setup.places.clone(), self.help.system_info.clone());
        let is_practice = self.help.service.environment == Environment::Practice;
        let service = { !is_practice }.then(|| self.help.service.clone());
        let job = async move || {
            let bundle = collect_bundle(places, system_info, service).await;
            bundle
                .map(Arc::new)
                .map_err(|_panicked| EngineError::Internal)
        };
        self.shared.help.bundle.start(self.setup.tasks.run(job));
    }

    /// Checks for a newer version when that is due.
    pub(super) fn check_for_update(&mut self, at: Duration) {
        if self.help.due <= at {
            self.help.due = at + CHECK_EVERY;
            self.ask_for_newest();
        }
    }

    pub(super) fn ask_for_newest(&mut self) {
        let Some(address) = self.shared.help.update_address.clone() else {
            return;
        };
        let service = self.help.service.clone();
        let job = async move || {
            let connection = service
                .connection()
                .map_err(|_invalid| EngineError::Internal)?;
            Ok(newest_release(&connection, &address).await?)
        };
        self.shared.help.newest.start(self.setup.tasks.run(job));
    }

    pub(super) fn newest_came(&mut self) {
        let notices = &mut self.shared.notices;
        notices.remove_where(|shown| shown.headline.starts_with(NEWER));
        if let Some(newest) = self.shared.help.newer() {
            let headline = format!("{NEWER}{}", newest.version);
            let advice = match newest.download.as_str() {
                "" => "Ask your administrator for it".to_owned(),
                place => format!("Get it here: {place}"),
            };
            self.notify(Notice::new(Tone::Accent, headline, advice));
        }
    }
}
