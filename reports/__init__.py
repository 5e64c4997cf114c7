"""The site: published figures as plain files that people read.

Belongs here: queries of the published warehouse, charts, words, pages. Does not belong here: computing a figure (the
warehouse holds every one that a page shows), other sources than the published database.
"""
