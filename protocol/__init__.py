"""The shared language: what is asked, what happened, who may see it.

Actions are asked, events happened. `project` is the one exit where secrets are
removed, `TableView.apply` the one fold. Nothing here does I/O, reads a clock or
rolls dice, and nothing here imports another folder of the project.
"""
