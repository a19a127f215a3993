// The order desk beside a letter is packed, for a letter is no place for half a megabyte: this takes its own place.
const packed = document.getElementById("packed").textContent;
const bytes = Uint8Array.from(atob(packed), (each) => each.charCodeAt(0));
const page = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
new Response(page).text().then((text) => {
  document.open();
  document.write(text);
  document.close();
});
