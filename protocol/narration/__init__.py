"""Events as English: the story of a table in sentences, made of spans."""
