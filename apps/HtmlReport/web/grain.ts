// The pieces of a grain's id, as docs/grains.md describes them.

export interface Grain {
  /** Factors of blocks and of threads, the axes of the heat map: "x4 y2"; "1": none. */
  block: string;
  thread: string;
  /** All other pieces: the facet. */
  rest: string[];
}

const axisOf: Record<string, 'block' | 'thread'> = {
  block: 'block',
  fuse: 'block',
  steps: 'block',
  thread: 'thread',
  split: 'thread',
};

export const keyOf = (piece: string) => piece.match(/^[^.=:]*/)![0];

/** The commas of a SPEC separate pieces; no value has one. */
export const piecesOf = (id: string) => id.split(',').filter((piece) => piece !== '');

function label(piece: string): string {
  const key = keyOf(piece);
  const rest = piece.slice(key.length).replace(/^\./, '').replace('=', '').replace(':', ' ');
  return key === axisOf[key] ? rest : `${key} ${rest}`;
}

export function parse(id: string): Grain {
  const grain: Grain = { block: '', thread: '', rest: [] };
  for (const piece of id === 'original' ? [] : piecesOf(id)) {
    const axis = axisOf[keyOf(piece)];
    if (axis) grain[axis] += (grain[axis] ? ' ' : '') + label(piece);
    else grain.rest.push(piece);
  }
  grain.block ||= '1';
  grain.thread ||= '1';
  return grain;
}

/** Orders the labels of an axis by how much is joined. */
export function compareLabels(a: string, b: string): number {
  const product = (text: string) => (text.match(/\d+/g) ?? ['1']).reduce((all, each) => all * Number(each), 1);
  return Number(a !== '1') - Number(b !== '1') || product(a) - product(b) || a.localeCompare(b);
}

/** Leaves out the sentences about options that the pieces do not have: "With :remainder, ...". */
function withoutOthers(text: string, pieces: string[]): string {
  return text
    .split(/(?<=\.) /)
    .filter((sentence) => (sentence.match(/:[a-z-]+/g) ?? []).every((one) => pieces.some((each) => each.includes(one))))
    .join(' ');
}

/** One sentence for the pieces of each key, from the table that the compiler has of the keys. */
export function explain(id: string, help: Map<string, string>): string[] {
  const pieces = new Map<string, string[]>();
  for (const piece of piecesOf(id)) pieces.set(keyOf(piece), [...(pieces.get(keyOf(piece)) ?? []), piece]);
  pieces.delete('for');
  return [...pieces].map(([key, all]) => {
    const text = help.get(key);
    return text ? `${all.join(', ')}: ${withoutOthers(text.replace(/`/g, ''), all)}` : all.join(', ');
  });
}
