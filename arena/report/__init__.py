"""The report: a whole run as one HTML page that needs no network and no server.

`data` folds the records into what the page shows, `matches` packs every match, `figures` works out where
things are drawn, and `page` puts them into the template. Nothing here prints.
"""
