// The roofline: operations per second by operations per byte, below what a copy and multiply-adds reach.

import { chartWidth, h, note, svg, type Child } from './dom';
import { scaled } from './format';
import { nowUs, type Model, type Run } from './model';
import type { Limits } from './schema';
import { limitsOf } from './launch';
import { computedBy, leastSeconds, totalOf, trafficOf, type Computed } from './work';

interface Point {
  name: string;
  isChosen: boolean;
  intensity: number;
  rate: number;
}

function pointsOf(run: Run, touched: number, computed: number): Point[] {
  const times: [string, number][] = [['original', run.entry.original_us]];
  if (run.entry.alternative !== 'original') times.push([run.entry.alternative, nowUs(run.entry)]);
  return times.map(([name, us]) => ({
    name,
    isChosen: name !== 'original',
    intensity: computed / touched,
    rate: computed / (us * 1e-6),
  }));
}

const [height, left, right, top, bottom] = [320, 104, 16, 10, 40];

/** Logarithmic axes from one power of ten to another. */
class Axes {
  private readonly x0: number;
  private readonly x1: number;
  private readonly y0: number;
  private readonly y1: number;
  readonly width = chartWidth();

  constructor(xs: number[], ys: number[]) {
    this.x0 = Math.floor(Math.log10(Math.min(...xs)) - 0.3);
    this.x1 = Math.ceil(Math.log10(Math.max(...xs)) + 0.3);
    this.y0 = Math.floor(Math.log10(Math.min(...ys)) - 0.3);
    this.y1 = Math.ceil(Math.log10(Math.max(...ys)) + 0.2);
  }

  get least(): { x: number; y: number } {
    return { x: 10 ** this.x0, y: 10 ** this.y0 };
  }

  get most(): { x: number; y: number } {
    return { x: 10 ** this.x1, y: 10 ** this.y1 };
  }

  x(value: number): number {
    return left + ((this.width - left - right) * (Math.log10(value) - this.x0)) / (this.x1 - this.x0);
  }

  y(value: number): number {
    return height - bottom - ((height - bottom - top) * (Math.log10(value) - this.y0)) / (this.y1 - this.y0);
  }

  draw(): Child {
    const ticks = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i));
    return [
      ticks(this.x0, this.x1).map((each) => [
        svg('line', { x1: this.x(each), x2: this.x(each), y1: top, y2: height - bottom, class: 'grid' }),
        svg('text', { x: this.x(each), y: height - bottom + 16, 'text-anchor': 'middle' }, String(each)),
      ]),
      ticks(this.y0, this.y1).map((each) => [
        svg('line', { x1: left, x2: this.width - right, y1: this.y(each), y2: this.y(each), class: 'grid' }),
        svg('text', { x: left - 6, y: this.y(each) + 4, 'text-anchor': 'end' }, scaled(each, 'FLOP/s')),
      ]),
      svg(
        'text',
        { x: (left + this.width) / 2, y: height - 6, 'text-anchor': 'middle' },
        'FLOP for a byte touched (model)',
      ),
    ];
  }
}

/** The slope of the copy's bandwidth, up to where multiply-adds bound. */
function slope(axes: Axes, bandwidth: number, ridge: number): Child {
  const end = Math.min(axes.most.x, ridge, axes.most.y / bandwidth);
  const start = Math.max(axes.least.x, axes.least.y / bandwidth);
  const [x1, y1, x2, y2] = [axes.x(start), axes.y(start * bandwidth), axes.x(end), axes.y(end * bandwidth)];
  return [
    svg('line', { x1, y1, x2, y2, class: 'roof' }),
    svg(
      'text',
      // Below the slope: the points of kernels that caches serve lie above it.
      { x: (x1 + x2) / 2 + 12, y: (y1 + y2) / 2 + 18, class: 'label' },
      `copy: ${scaled(bandwidth, 'B/s')}`,
    ),
  ];
}

function ceiling(axes: Axes, peak: number, ridge: number): Child {
  const y = axes.y(peak);
  return [
    svg('line', { x1: axes.x(Math.max(axes.least.x, ridge)), y1: y, x2: axes.width - right, y2: y, class: 'roof' }),
    svg(
      'text',
      { x: axes.width - right - 4, y: y - 6, class: 'label', 'text-anchor': 'end' },
      `multiply-adds: ${scaled(peak, 'FLOP/s')}`,
    ),
  ];
}

function drawPoint(axes: Axes, point: Point): Child {
  const [x, y] = [axes.x(point.intensity), axes.y(point.rate)];
  const kind = point.isChosen ? 'chosen' : 'original';
  return [
    svg('circle', { cx: x, cy: y, r: 7, class: kind }, svg('title', {}, point.name)),
    svg('text', { x: x + 12, y: y + (point.isChosen ? -6 : 14), class: 'label' }, kind),
  ];
}

/** What multiply-adds reach with the kernel's numbers, by how many of them have 64 bits. */
function peakOf(limits: Limits | undefined, computed: Computed): number | undefined {
  const least = leastSeconds(computed, limits);
  return least ? totalOf(computed) / least : undefined;
}

function draw(points: Point[], limits: Limits | undefined, peak: number | undefined, words: string): SVGElement {
  const bandwidth = limits?.copy_bytes_per_second ?? undefined;
  const ridge = bandwidth && peak ? peak / bandwidth : undefined;
  const axes = new Axes(
    [...points.map((each) => each.intensity), ...(ridge ? [ridge] : [])],
    [
      ...points.map((each) => each.rate),
      ...(peak ? [peak] : []),
      ...(bandwidth ? points.map((each) => bandwidth * each.intensity) : []),
    ],
  );
  return svg(
    'svg',
    { viewBox: `0 0 ${axes.width} ${height}`, role: 'img', 'aria-label': `Roofline. ${words}`, class: 'chart' },
    axes.draw(),
    bandwidth && slope(axes, bandwidth, ridge ?? Infinity),
    peak && ceiling(axes, peak, ridge ?? 0),
    points.map((each) => drawPoint(axes, each)),
  );
}

/** The most operations per second for the operations per byte. */
function roofAt(limits: Limits | undefined, peak: number | undefined, intensity: number): number {
  const slope = limits?.copy_bytes_per_second ? limits.copy_bytes_per_second * intensity : Infinity;
  return Math.min(slope, peak ?? Infinity);
}

function caption(computed: Computed): string {
  const condition = computed.isConditional ? ', as if all conditions held' : '';
  const others = computed.functions.length ? ` What calls of ${computed.functions.join(', ')} compute is not counted.` : '';
  return `Modelled: operations are those of the source, a multiply-add counts as two${condition}; what blocks share is not seen.${others} Only the times are measured. `;
}

export function roofline(model: Model, run: Run): Child {
  const traffic = trafficOf(run);
  const computed = computedBy(run);
  if ('unknown' in computed) return note(`No roofline – not known: ${computed.unknown}.`);
  if ('unknown' in traffic) return note(`No roofline – the bytes of a launch are not known: ${traffic.unknown}.`);
  const total = totalOf(computed.value);
  if (!total || !traffic.value.touched)
    return note('No roofline: the code has no additions, products or quotients of floating-point numbers.');
  const limits = limitsOf(model, run);
  const peak = peakOf(limits, computed.value);
  const all = pointsOf(run, traffic.value.touched, total);
  const points = all.filter((each) => each.rate <= roofAt(limits, peak, each.intensity));
  const above = all.filter((each) => !points.includes(each)).map((each) => each.name);
  const aboveWords =
    above.length > 0 &&
    `Not drawn, because above the roof: ${above.join(', ')}. Data stay in caches, or the count is only a bound.`;
  if (!points.length) return note(aboveWords);
  const words = points
    .map((each) => `${each.name}: ${each.intensity.toFixed(2)} FLOP/B, ${scaled(each.rate, 'FLOP/s')}`)
    .join('; ');
  return h(
    'figure',
    {},
    draw(points, limits, peak, words),
    h(
      'figcaption',
      {},
      `${words}. ${caption(computed.value)}`,
      aboveWords,
      limits ? ` Limits: ${limits.how}.` : ` No roof: no input has the limits of ${run.entry.device}.`,
    ),
  );
}
