// Which lines of two listings correspond.

const x86Register = /\b(?:[re]?[abcd]x|[re]?[sd]i|[re]?[bs]p|[abcd]l|r\d+[dwb]?|[xyz]mm\d+)\b/g;

/** What two instructions must have in common: registers and labels are numbered anew in each version. */
export function normalised(text: string): string {
  return text
    .replace(x86Register, 'r#')
    .replace(/\b([vsa])\[\d+(:\d+)?\]/g, '$1#')
    .replace(/[%$]?\b[a-zA-Z]{1,3}\d+\b/g, (name) => name.replace(/\d+/, '#'))
    .replace(/\b0x[0-9a-f]+\b/gi, '0x#')
    .replace(/__[A-Za-z0-9_$]+/g, '__#')
    .replace(/_Z\w+/g, '_Z#');
}

/** Larger products of lengths are compared as bags of lines. */
const mostCells = 6e6;

/** Returns for both sides which lines have a counterpart in the longest common subsequence. */
export function common(a: string[], b: string[]): [boolean[], boolean[]] {
  const inA = a.map(() => false);
  const inB = b.map(() => false);
  if (a.length * b.length > mostCells) {
    const [setA, setB] = [new Set(a), new Set(b)];
    return [a.map((each) => setB.has(each)), b.map((each) => setA.has(each))];
  }
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; --i) {
    for (let j = b.length - 1; j >= 0; --j) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      inA[i++] = inB[j++] = true;
    } else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) ++i;
    else ++j;
  }
  return [inA, inB];
}
