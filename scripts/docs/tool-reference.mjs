import { typeOf } from './type-of.mjs';

const DOMAINS = {
  memory: 'Values of any JSON shape by namespace and key, for all who use the same data folder.',
  session: 'One task, several agents: who takes part, in which role, and how it ended.',
  trace: 'What was called, what came out, how long it took.',
  config: 'The settings of the server; [configuration.md](configuration.md) tells what each means.',
};

/** docs/tools.md: every tool, as its contract has it. */
export function toolReference({ TOOL_CONTRACTS, TOOL_CODES, MCPTimeoutConfigSchema, toJsonSchema }) {
  const homeless = TOOL_CONTRACTS.find(({ name }) => !(name.split('_')[0] in DOMAINS));
  if (homeless) throw new Error(`scripts/docs/tool-reference.mjs says nothing of the domain of ${homeless.name}`);
  const { toolTimeouts } = MCPTimeoutConfigSchema.parse({});
  const sectionOf = (contract) =>
    [
      `### \`${contract.name}\``,
      contract.description,
      hintsOf(contract, toolTimeouts),
      argumentTable(toJsonSchema(contract.input, 'input')),
      answerTable(toJsonSchema(contract.output, 'input')),
      codesOf(contract, TOOL_CODES),
    ].join('\n\n');
  const domainOf = ([prefix, about]) => {
    const contracts = TOOL_CONTRACTS.filter(({ name }) => name.startsWith(`${prefix}_`));
    return [`## \`${prefix}_*\``, about, ...contracts.map(sectionOf)].join('\n\n');
  };
  return `${[
    '# Tools',
    '<!-- Written by scripts/docs.mjs from packages/contracts. Change the contract, then run `pnpm run docs`. -->',
    `There are ${TOOL_CONTRACTS.length} tools. A tool takes exactly the arguments listed here: an unknown one is refused, and the error names the nearest known one. "Answer" is the \`data\` of the envelope described in [answers.md](answers.md), which also lists the codes that any tool may answer with; an inner field is "always" present where its object is.`,
    overview(TOOL_CONTRACTS),
    ...Object.entries(DOMAINS).map(domainOf),
  ].join('\n\n')}\n`;
}

const overview = (contracts) =>
  table(
    ['Tool', 'Does', 'Kind'],
    contracts.map((contract) => [`[\`${contract.name}\`](#${contract.name})`, contract.title, kindOf(contract)]),
  );

const kindOf = ({ effect, destructive }) =>
  effect === 'read' ? 'reads' : destructive ? 'writes, may overwrite or remove' : 'writes';

const EFFECTS = { read: 'changes nothing', store: 'changes the database', world: 'changes files' };

function hintsOf({ category, effect, idempotent, destructive, openWorld }, timeouts) {
  const hints = { readOnlyHint: effect === 'read', idempotentHint: idempotent, destructiveHint: destructive };
  const flags = Object.entries({ ...hints, openWorldHint: openWorld }).map(([name, value]) => `\`${name}: ${value}\``);
  return `Category \`${category}\` (${timeouts[category] / 1000} s unless configured); ${EFFECTS[effect]}. ${flags.join(', ')}.`;
}

function argumentTable(schema) {
  const rows = fieldsOf(schema).map(({ path, node, isRequired }) => {
    const fallback = node.default === undefined ? '–' : `\`${JSON.stringify(node.default)}\``;
    return [`\`${path}\``, typeOf(node), isRequired ? 'required' : fallback, node.description ?? ''];
  });
  if (rows.length === 0) return 'Takes no arguments.';
  return table(['Argument', 'Type', 'Default', 'Meaning'], rows);
}

function answerTable(schema) {
  const rows = fieldsOf(schema).map(({ path, node, isRequired }) => {
    const type = node.description === undefined ? typeOf(node) : `${typeOf(node)}: ${node.description}`;
    return [`\`${path}\``, type, isRequired ? 'always' : 'where it applies'];
  });
  return table(['Answer', 'Type', 'Present'], rows);
}

/** All fields with their paths: `participants[].agentId`. */
const fieldsOf = ({ properties = {}, required = [] }, prefix = '') =>
  Object.entries(properties).flatMap(([name, node]) => [
    { path: prefix + name, node, isRequired: required.includes(name) },
    ...(node.description === undefined ? innerFields(node, prefix + name) : []),
  ]);

/** What has a description is told by it; everything else by its parts. */
const innerFields = ({ items = {}, anyOf = [], ...node }, path) => [
  ...[node, ...anyOf].flatMap((object) => fieldsOf(object, `${path}.`)),
  ...fieldsOf(items, `${path}[].`),
];

function codesOf({ errors }, toolCodes) {
  if (errors.length === 0) return 'No codes of its own.';
  return `Codes: ${errors.map((code) => `\`${code}\` (as \`${toolCodes[code]}\`)`).join(', ')}.`;
}

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
