"""The review of an evening: what each decision of one player gave up, added up, and the house bot with their cards."""
