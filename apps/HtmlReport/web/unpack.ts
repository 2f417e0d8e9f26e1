// The inverse of apps/HtmlReport/Pack.cpp, which writes long lists of equal objects as columns.

interface Packed {
  '#': string[];
  columns: unknown[];
}

/** A column is a list, a packed list of its own, or indices into its values. */
function column(packed: unknown): unknown[] {
  if (Array.isArray(packed) || '#' in (packed as object)) return unpack(packed) as unknown[];
  const { values, at } = packed as { values: unknown[]; at: number[] };
  const plain = values.map(unpack);
  return at.map((index) => plain[index]);
}

export function unpack(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpack);
  if (value === null || typeof value !== 'object') return value;
  if ('#' in value) {
    const { '#': keys, columns } = value as Packed;
    const unpacked = columns.map(column);
    return unpacked[0].map((_, row) => Object.fromEntries(keys.map((key, i) => [key, unpacked[i][row]])));
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, unpack(each)]));
}
