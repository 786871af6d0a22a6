"""The table in a browser.

So far only its files are here: an exported page has them in it, and shows hands that are over.
"""
