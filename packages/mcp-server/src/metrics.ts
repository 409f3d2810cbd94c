/** Upper bounds of the histogram's buckets, in seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600];

interface ToolFigures {
  readonly byOutcome: Map<string, number>;
  readonly buckets: number[];
  seconds: number;
  calls: number;
}

/** Counts calls as they end, and tells all figures in the text format of Prometheus. */
export interface Metrics {
  count(tool: string, call: { readonly outcome: string; readonly durationMs: number }): void;
  /** A figure that is asked for when it is told. Names are of the product; no label comes from a client. */
  gauge(name: string, help: string, value: () => number): void;
  text(): string;
}

export function createMetrics(): Metrics {
  const tools = new Map<string, ToolFigures>();
  const gauges: { readonly name: string; readonly help: string; readonly value: () => number }[] = [];
  return {
    count: (tool, { outcome, durationMs }) => {
      const figures = tools.get(tool) ?? { byOutcome: new Map(), buckets: BUCKETS.map(() => 0), seconds: 0, calls: 0 };
      tools.set(tool, figures);
      figures.byOutcome.set(outcome, (figures.byOutcome.get(outcome) ?? 0) + 1);
      figures.seconds += durationMs / 1000;
      figures.calls += 1;
      const index = BUCKETS.findIndex((bound) => durationMs <= bound * 1000);
      if (index !== -1) figures.buckets[index] = (figures.buckets[index] as number) + 1;
    },
    gauge: (name, help, value) => void gauges.push({ name, help, value }),
    text: () =>
      [
        ...gauges.flatMap(({ name, help, value }) => [...headOf(name, help, 'gauge'), `${name} ${value()}`]),
        ...headOf('automatosx_tool_calls_total', 'Calls that have ended, by tool and outcome', 'counter'),
        ...[...tools].flatMap(callsOf),
        ...headOf('automatosx_tool_call_seconds', 'How long calls took', 'histogram'),
        ...[...tools].flatMap(durationsOf),
        '',
      ].join('\n'),
  };
}

/** Names of tools may come from other servers. */
const escaped = (label: string): string =>
  label.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));

const headOf = (name: string, help: string, type: string) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];

const callsOf = ([tool, { byOutcome }]: [string, ToolFigures]): string[] =>
  [...byOutcome].map(
    ([outcome, count]) => `automatosx_tool_calls_total{tool="${escaped(tool)}",outcome="${outcome}"} ${count}`,
  );

function durationsOf([tool, { buckets, seconds, calls }]: [string, ToolFigures]): string[] {
  let sum = 0;
  const rows = BUCKETS.map((bound, index) => {
    sum += buckets[index] as number;
    return `automatosx_tool_call_seconds_bucket{tool="${escaped(tool)}",le="${bound}"} ${sum}`;
  });
  return [
    ...rows,
    `automatosx_tool_call_seconds_bucket{tool="${escaped(tool)}",le="+Inf"} ${calls}`,
    `automatosx_tool_call_seconds_sum{tool="${escaped(tool)}"} ${seconds}`,
    `automatosx_tool_call_seconds_count{tool="${escaped(tool)}"} ${calls}`,
  ];
}

interface ProcessFigures {
  readonly inFlight: () => number;
  /** Grows as things go wrong. */
  readonly lost: { readonly traces: number; readonly outputs: number };
}

/** What every server tells of itself. */
export function watchProcess({ gauge }: Metrics, { inFlight, lost }: ProcessFigures): void {
  gauge('automatosx_requests_in_flight', 'Requests under way', inFlight);
  gauge('automatosx_traces_lost', 'Traces that could not be kept', () => lost.traces);
  gauge('automatosx_invalid_outputs', 'Outputs that broke their schema', () => lost.outputs);
  gauge('process_resident_memory_bytes', 'Memory of the process', () => process.memoryUsage.rss());
  gauge('process_uptime_seconds', 'Seconds since the process began', () => process.uptime());
}
