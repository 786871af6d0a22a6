"""Looking back: stepping through recorded hands, verifying, importing and exporting them.

`recording` reads a file, `playback` finds the table at any moment, `navigator` is what a replay does on any screen,
`narration` tells it in sentences. `library`, `index` and `hand_summaries` list hands. `verify` checks a file.
"""
