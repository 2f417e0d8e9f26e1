// Registers, scratch, waves and modelled fetch of the original and the chosen grains, for all targets in one table.

import { h, note, section, table, type Column } from './dom';
import { bytes, figure } from './format';
import type { Built, Kernel, Model } from './model';
import { kernelLink } from './links';
import type { Code } from './schema';
import { isOpen } from './work';

interface Row {
  kernel: Kernel;
  built: Built;
  id: string;
  code: Code;
}

/** The original, what runs by default, and what tuning chose. */
function idsOf(kernel: Kernel, built: Built): Set<string> {
  const ids = new Set([
    'original',
    built.kernel.chosen ?? 'original',
    ...kernel.runs.map((each) => each.entry.alternative),
    ...kernel.past.map((each) => each.choice.alternative),
  ]);
  for (const side of built.kernel.listing?.sides ?? []) ids.add(side.alternative);
  return ids;
}

function rowsOf(kernel: Kernel): Row[] {
  const rows: Row[] = [];
  const seen = new Set<string>();
  for (const built of kernel.built) {
    const ids = idsOf(kernel, built);
    for (const alternative of built.kernel.alternatives ?? []) {
      if (!ids.has(alternative.id)) continue;
      for (const code of alternative.code) {
        const key = [built.document.file, alternative.id, code.arch, code.kind].join('\n');
        if (!code.symbol || seen.has(key)) continue;
        seen.add(key);
        rows.push({ kernel, built, id: alternative.id, code });
      }
    }
  }
  return rows.sort(
    (a, b) => a.code.arch.localeCompare(b.code.arch) || Number(a.id !== 'original') - Number(b.id !== 'original'),
  );
}

function touched(row: Row): string {
  const footprint = row.built.kernel.footprint;
  if (!footprint || row.id !== 'original') return '–';
  return footprint.memories.some((each) => each.touched_bytes === null || isOpen(footprint, each.bytes_per_thread))
    ? 'not known'
    : bytes(footprint.memories.reduce((all, each) => all + (each.touched_bytes ?? 0), 0));
}

const spills = (code: Code) => code.spill_store_bytes ?? (code.vector_spills != null ? code.vector_spills : null);

const columns: Column<Row>[] = [
  {
    title: 'Target',
    head: true,
    cell: (row) => h('span', { class: 'unbroken' }, `${row.code.arch} (${row.code.kind})`),
  },
  { title: 'Grain', cell: (row) => h('code', {}, row.id.replace(/,/g, ',\u200b')) },
  { title: 'Registers', number: true, cell: (row) => figure(row.code.registers) },
  { title: 'Scalar registers', number: true, cell: (row) => figure(row.code.scalar_registers) },
  { title: 'Scratch (B)', number: true, cell: (row) => figure(row.code.stack_bytes) },
  { title: 'Spills', number: true, cell: (row) => figure(spills(row.code)) },
  { title: 'Shared (B)', number: true, cell: (row) => figure(row.code.static_shared_bytes) },
  { title: 'Waves', number: true, cell: (row) => figure(row.code.waves) },
  {
    title: 'Occupancy (%) at threads of a block',
    number: true,
    cell: ({ code }) =>
      code.occupancy_percent == null ? '–' : `${code.occupancy_percent} at ${figure(code.occupancy_threads)}`,
  },
  { title: 'Code (B)', number: true, cell: (row) => figure(row.code.code_bytes) },
  { title: 'Modelled fetch of a block', number: true, cell: touched },
];

const missing = 'No input has compiled code (regrain inspect --json).';
const reading =
  'A dash: the back end does not tell the figure, or the target has none. The threads are those of the kernel’s launch bounds, or 256; the kernel’s own page has those that were launched. Waves are those that a SIMD unit of an AMD GPU holds. The fetch is what a block of the original touches at most; it is the same on all targets, and not known for loops whose length is not known.';

export function targets(kernel: Kernel): HTMLElement {
  const rows = rowsOf(kernel);
  if (!rows.length) return section('targets', 'Targets', note(missing));
  return section(
    'targets',
    'Targets',
    table('Resources of the original and the chosen grains', columns, rows),
    note(reading),
  );
}

export function allTargets(model: Model): HTMLElement {
  const rows = model.kernels.flatMap(rowsOf);
  return h(
    'div',
    {},
    h('h2', { tabindex: -1 }, 'Targets'),
    rows.length
      ? [
          table(
            'Resources of all kernels on all targets',
            [
              { title: 'Kernel', head: true, cell: (row) => kernelLink(row.kernel, 'targets') },
              { ...columns[0], head: false },
              ...columns.slice(1),
            ],
            rows,
          ),
          note(reading),
        ]
      : note(missing),
  );
}
