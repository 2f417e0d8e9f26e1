// Numbers and names as people read them.

const digits = (value: number, count = 3) => {
  if (value === 0) return '0';
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(Math.min(6, Math.max(0, count - 1 - magnitude)));
};

export const time = (us: number) =>
  us >= 1e6 ? `${digits(us / 1e6)} s` : us >= 1e4 ? `${digits(us / 1e3)} ms` : `${digits(us)} µs`;

export const gain = (ratio: number) => `${digits(ratio)}×`;

/** With as many digits as tell the ends apart, up to 5. */
export function interval(low: number, high: number): string {
  const count = [3, 4, 5].find((each) => digits(low, each) !== digits(high, each)) ?? 3;
  return `${digits(low, count)} to ${digits(high, count)}`;
}

export const percent = (part: number) => `${part > 0 && part < 0.01 ? '<1' : Math.round(part * 100)} %`;

export function scaled(value: number, unit: string): string {
  const steps: [number, string][] = [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ];
  const [size, prefix] = steps.find(([least]) => value >= least) ?? [1, ''];
  return `${digits(value / size)} ${prefix}${unit}`;
}

export const bytes = (count: number) => scaled(count, 'B');

export const figure = (value: number | null | undefined) =>
  value === null || value === undefined ? '–' : String(value);

export const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** "multiply" for "void multiply<float>(float*, int)". */
export function shortName(name: string): string {
  let depth = 0;
  let end = name.length;
  for (let i = 0; i < name.length; ++i) {
    if (name[i] === '<') ++depth;
    if (name[i] === '>') --depth;
    if (name[i] === '(' && depth === 0 && !name.startsWith('(anonymous namespace)', i)) {
      end = i;
      break;
    }
  }
  return name.slice(0, end).replace(/^void /, '');
}

/** As the table of regrain tune: usual values are left out. */
export function shortClass(text: string): string {
  const fields = text
    .split(/,(?=[a-z]+=)/)
    .filter((each) => each !== 'shared=0' && each !== 'align=16' && each !== 'grid=*x1x1');
  return fields.map((each) => each.replace(/^block=/, '').replace(/(x1)+$/, '')).join(' ');
}

export const driver = (number: number) => `${Math.floor(number / 1000)}.${Math.floor((number % 1000) / 10)}`;

export const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
