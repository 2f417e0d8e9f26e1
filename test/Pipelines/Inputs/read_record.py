"""Prints each remark of an optimisation record, one a line, as a viewer would read it."""
import re
import sys

text = open(sys.argv[1]).read()
documents = [d for d in re.split(r"^--- ", text, flags=re.M) if d.strip()]
for document in documents:
    kind = re.match(r"!(\w+)\n", document).group(1)
    fields = dict(re.findall(r"^(\w+): +(.+)$", document, re.M))
    assert fields["Pass"] == "regrain", fields
    place = re.search(r"File: '?([^',]+)'?, *Line: (\d+), *Column: (\d+)", document.replace("\n", " "))
    assert place, document
    message = re.findall(r"^  - \w+: +(.+)$", document, re.M)
    print(kind, fields["Name"], fields["Function"].strip("'"), "line", place.group(2), "".join(message))
