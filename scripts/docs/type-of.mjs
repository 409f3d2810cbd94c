/** A node of JSON Schema in a few words: `string, 1–500 characters`. */
export function typeOf(node) {
  if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``;
  if (node.enum) return node.enum.map((value) => `\`${value}\``).join(', ');
  if (node.anyOf) return node.anyOf.map(typeOf).join(' or ');
  if (node.type === undefined) return 'any JSON';
  if (node.type === 'string') return withBounds(FORMATS[node.format] ?? 'string', lengths(node), 'characters');
  if (node.type === 'array') return withBounds(`list of ${plural(node.items)}`, items(node), 'items');
  if (node.type === 'integer') return withBounds('integer', values(node));
  return node.type;
}

const FORMATS = { uuid: 'UUID', 'date-time': 'time (ISO 8601)' };

const plural = ({ type } = {}) => (type === undefined ? 'any JSON' : `${type}s`);

const lengths = ({ minLength, maxLength, format }) => (format ? [] : [minLength, maxLength]);
const items = ({ minItems, maxItems }) => [minItems, maxItems];
const values = ({ minimum, maximum }) => [minimum, maximum];

function withBounds(type, [least, most], unit = '') {
  const bounds = boundsOf(least, most);
  return bounds === '' ? type : [`${type},`, bounds, unit].filter((word) => word !== '').join(' ');
}

function boundsOf(least, most) {
  if (most === undefined) return least === undefined ? '' : `at least ${least}`;
  return least === undefined ? `at most ${most.toLocaleString('en-US')}` : `${least}–${most.toLocaleString('en-US')}`;
}
