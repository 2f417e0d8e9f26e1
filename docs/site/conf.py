"""The configuration of Sphinx for the site that scripts/docs.py makes of docs/."""
from pathlib import Path

project = "Regrain"
copyright = "the authors of Regrain"
extensions = ["myst_parser", "sphinx_copybutton"]
root_doc = "index"
language = "en"
# Links to headings have the names that GitHub gives them.
myst_heading_anchors = 4
smartquotes = False
# Pages begin with their title, and generated pages leave out levels of headings.
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
highlight_language = "text"
pygments_style = "friendly"
pygments_dark_style = "native"

html_theme = "furo"
html_title = "Regrain"
html_static_path = ["style.css"]
html_css_files = ["style.css"]
html_search_scorer = str(Path(__file__).parent / "scorer.js")
# Excerpts are fetched, which browsers refuse for files.
html_show_search_summary = False
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
# Only the commands of a session are copied.
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
copybutton_line_continuation_character = "\\"
