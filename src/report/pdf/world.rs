//! What Typst sees: one embedded template, the fonts that are part of the program, and the data of one report. No file,
//! no network, no clock.

use std::sync::LazyLock;

use typst::diag::{FileError, FileResult};
use typst::foundations::{Bytes, Datetime, Dict, Duration};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World};

const TEMPLATE: &str = include_str!("../../../templates/report.typ");

/// The face of the report, and its bold. Inter, SIL Open Font License; see `templates/fonts`.
const FACES: [&[u8]; 2] = [
    include_bytes!("../../../templates/fonts/Inter-Regular.ttf"),
    include_bytes!("../../../templates/fonts/Inter-SemiBold.ttf"),
];

/// Of Typst's own fonts those that add characters: Hebrew and more Latin, Arabic and symbols, mathematical signs.
const FALLBACKS: [&str; 3] = ["Libertinus Serif", "DejaVu Sans Mono", "New Computer Modern Math"];

pub(super) struct Fonts {
    book: LazyHash<FontBook>,
    fonts: Vec<Font>,
}

/// Loaded with the first report: until then nothing of Typst is touched.
pub(super) static FONTS: LazyLock<Fonts> = LazyLock::new(|| {
    let own = FACES.into_iter().flat_map(|data| Font::iter(Bytes::new(data)));
    let bundled = typst_assets::fonts().flat_map(|data| Font::iter(Bytes::new(data)));
    // Slanted cuts hold no characters that the upright ones lack.
    let useful = |font: &Font| {
        let upright = font.info().variant.style == typst::text::FontStyle::Normal;
        upright && FALLBACKS.contains(&font.info().family.as_str())
    };
    let fonts: Vec<Font> = own.chain(bundled.filter(useful)).collect();
    Fonts { book: LazyHash::new(FontBook::from_fonts(&fonts)), fonts }
});

impl Fonts {
    /// Whether some font can show the character; only those of the report's own face when `own` is asked.
    pub(super) fn show(&self, character: char, own: bool) -> bool {
        let fonts = if own { &self.fonts[..FACES.len().min(self.fonts.len())] } else { &self.fonts };
        fonts.iter().any(|font| font.info().coverage.contains(u32::from(character)))
    }
}

/// The name never changes: Typst keeps every name that it has seen.
static SOURCE: LazyLock<Source> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "a fixed name without dots or backslashes is a valid path")]
    let path = VirtualPath::new("report.typ").expect("a valid name");
    Source::new(FileId::new(RootedPath::new(VirtualRoot::Project, path)), TEMPLATE.to_owned())
});

/// One report on its way.
pub(super) struct ReportWorld {
    library: LazyHash<Library>,
}

impl ReportWorld {
    /// `inputs` are what the template reads as `sys.inputs`.
    pub(super) fn new(inputs: Dict) -> Self {
        Self { library: LazyHash::new(Library::builder().with_inputs(inputs).build()) }
    }
}

impl World for ReportWorld {
    fn library(&self) -> &LazyHash<Library> {
        &self.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &FONTS.book
    }

    fn main(&self) -> FileId {
        SOURCE.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        if id == SOURCE.id() { Ok(SOURCE.clone()) } else { Err(FileError::AccessDenied) }
    }

    fn file(&self, _: FileId) -> FileResult<Bytes> {
        Err(FileError::AccessDenied)
    }

    fn font(&self, index: usize) -> Option<Font> {
        FONTS.fonts.get(index).cloned()
    }

    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}
