// A printed sheet beneath the map. It stays in the browser: no file holds anything of it.

const Scan = (() => {
  "use strict";
  return {start: given => {}, layer: () => null, proposals: () => new Map(), points: () => [], printed: label => "", press: (at, pans) => false, drag: at => false, release: () => {}, accept: label => {}};
})();
