const ROW = /^\| `([$\w.]+)` +\| (?:`([^`]*)`|–) +\| (.*?) +\|$/gm;

/** The settings in the tables of docs/configuration.md: path, default as JSON text if there is one, meaning. */
export const settingsIn = (markdown) =>
  [...markdown.matchAll(ROW)].map(([, path, defaultText, meaning]) => ({ path, defaultText, meaning }));
