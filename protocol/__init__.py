"""The shared language: commands that are asked, events that happened, and who may see them.

`events`, `actions`, `commands` are the vocabulary, with `cards`, `stakes` and `table_rules`.
`visibility.project` is the only place where secrets are removed; `TableView.apply` is the
only fold. `wire` is the bytes between client and server, `journal` the bytes on the disk,
`narration` the events as English. Nothing here does I/O, reads a clock or uses randomness.
"""
