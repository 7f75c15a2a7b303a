"""Reports as HTML, Markdown and terminal output, and their plots."""
