"""Values come in, what people read goes out: letters as text and HTML from templates, drawings as SVG, PNG and PDF."""
