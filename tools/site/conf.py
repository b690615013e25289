"""Settings of Sphinx for the book; tools/site/book.py copies its pages beside each other as they lie in a clone."""

project = "Skyline"
author = "the Skyline developers"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
root_doc = "index"
default_role = "literal"  # of docstrings
language = "en"

myst_heading_anchors = 4  # the same names as GitHub's
myst_links_external_new_tab = False

add_module_names = False
python_maximum_signature_line_length = 100
toc_object_entries_show_parents = "hide"
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

html_theme = "furo"
html_title = "Skyline"
html_static_path = ["_static"]
html_css_files = ["book.css"]
html_js_files = [("book.js", {"defer": "defer"})]
html_copy_source = False
html_use_index = False
html_domain_indices = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": False}
