"""One module per kind of page: rows of the build in, template contexts out.

Belongs here: which tables, charts and sentences a page has. Does not belong here: SQL (`reports.queries`), markup
(`reports/templates`), writing files (`reports.site`).
"""
