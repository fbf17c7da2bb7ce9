"""The house that src/ is: its floors, who includes whom, what may not be, and a picture of it.

    floors       the floors, as CONTRIBUTING.md lists them
    sources      the files of src/ with their includes
    rules        what of them is against the rules
    headers      the comment that a header opens with
    text         how wide words are, and how they are broken into lines
    plan         where everything stands in the picture
    arrows       the arrows between floors
    picture      docs/house.svg
    documents    the links, the names and the lines of the documents
"""
