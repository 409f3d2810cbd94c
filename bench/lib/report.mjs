/**
 * A line of the report: `{what, unit, measured, reference?, ratio?, bar?, aim?, details?}`. A bar is `{atLeast}` or
 * `{atMost}`, and holds against the ratio where there is one, else against what was measured.
 */
export function verdictOf(line) {
  const value = line.ratio ?? line.measured;
  if (line.bar === undefined) return 'reported';
  if (!keeps(value, line.bar)) return 'MISSED';
  return line.aim !== undefined && keeps(value, line.aim) ? 'aim met' : 'bar met';
}

const keeps = (value, { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }) =>
  value >= atLeast && value <= atMost;

const HEADINGS = ['what', 'measured', 'reference', 'ratio', 'bar', 'aim', 'verdict'];

/** The lines as a table in Markdown. */
export function tableOf(lines) {
  const rows = [HEADINGS, ...lines.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const [head, ...body] = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`,
  );
  return [head, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...body].join('\n');
}

function cellsOf(line) {
  const unit = line.ratio === undefined ? line.unit : '×';
  return [
    line.what,
    format(line.measured, line.unit),
    format(line.reference, line.unit),
    format(line.ratio, '×'),
    formatBar(line.bar, unit),
    formatBar(line.aim, unit),
    verdictOf(line),
  ];
}

function formatBar(bar, unit) {
  if (bar === undefined) return '–';
  return bar.atLeast === undefined ? `≤ ${format(bar.atMost, unit)}` : `≥ ${format(bar.atLeast, unit)}`;
}

function format(value, unit) {
  if (value === undefined || Number.isNaN(value)) return '–';
  const digits = value >= 1000 ? 0 : value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toLocaleString('en-US', { maximumFractionDigits: digits })} ${unit}`;
}

/** What a line tells beside its figure, as a table by name; nothing for most lines. */
export function detailsOf({ what, details }) {
  if (details === undefined) return [];
  const rows = Object.entries(details).map(([name, parts]) => {
    const told = Object.entries(parts).map(([part, value]) => `${part} ${value}`);
    return `  ${name.padEnd(24)} ${told.join(', ')}`;
  });
  return [`${what.trim()}:\n${rows.join('\n')}`];
}
