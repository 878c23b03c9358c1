#!/usr/bin/env python3
"""Cuts the fonts in assets/fonts from the published ones: every character kept, alternates dropped, figures tabular.

egui has no switch for OpenType features, so what they would choose is chosen here: Inter's figures become the ones of
equal width, and neither font joins letters (`calt` would draw 12x40 as 12×40, and `->` in an id as an arrow).

    pip install fonttools
    tests/cut_fonts.py /usr/share/fonts/opentype/inter /usr/share/fonts/truetype/jetbrains-mono assets/fonts
"""
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FONTS = ["Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf", "Inter-Bold.otf",
         "JetBrainsMono-Regular.ttf", "JetBrainsMono-Medium.ttf"]


def tabular(font):
    """The substitutions of the feature `tnum`: glyph to glyph."""
    swaps = {}
    if "tnum" in {r.FeatureTag for r in font["GSUB"].table.FeatureList.FeatureRecord}:
        gsub = font["GSUB"].table
        for record in gsub.FeatureList.FeatureRecord:
            if record.FeatureTag == "tnum":
                for index in record.Feature.LookupListIndex:
                    for table in gsub.LookupList.Lookup[index].SubTable:
                        swaps.update(getattr(table, "ExtSubTable", table).mapping)
    return swaps


def cut(source, target):
    font = TTFont(source)
    swaps = tabular(font)
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap = {code: swaps.get(glyph, glyph) for code, glyph in table.cmap.items()}
    options = subset.Options(layout_features=["kern", "mark", "mkmk", "ccmp", "locl"], hinting=True,
                             name_IDs=["*"], notdef_outline=True, glyph_names=False)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=list(font.getBestCmap()))
    cutter.subset(font)
    font["head"].modified = font["head"].created
    font.recalcTimestamp = False
    font.save(target)
    print(target.name, target.stat().st_size)


if __name__ == "__main__":
    *sources, target = map(Path, sys.argv[1:])
    for name in FONTS:
        cut(next(s / name for s in sources if (s / name).exists()), target / name)
