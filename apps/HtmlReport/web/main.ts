// Reads what regrain report has embedded, and shows the page that the address names.

import { bounds } from './bounds';
import { code } from './code';
import { deviceWords, devicesOf } from './device';
import { h, type Child } from './dom';
import { plural, shortClass } from './format';
import { grains } from './heatmap';
import { allHistory, history } from './history';
import { measurements } from './intervals';
import { inUnits, makeModel, type Kernel, type Model, type Run } from './model';
import { kernelsPage } from './kernels';
import { addressOf, kernelLink } from './links';
import { overview } from './overview';
import type { Envelope } from './schema';
import { allTargets, targets } from './targets';
import { unpack } from './unpack';
import { wordsPage } from './words';

const parts: [string, string][] = [
  ['grains', 'Grains'],
  ['measurements', 'Measurements'],
  ['bounds', 'Roofline'],
  ['code', 'Code'],
  ['targets', 'Targets'],
  ['history', 'History'],
];

function kernelPage(model: Model, kernel: Kernel, run: Run | undefined, grain: string): HTMLElement {
  const choice = h(
    'select',
    { id: 'class', change: () => (location.hash = addressOf(kernel, 'grains', kernel.runs[choice.selectedIndex])) },
    kernel.runs.map((each) =>
      h(
        'option',
        { selected: each === run },
        `${each.program.title}: ${shortClass(each.entry.class)}, ${each.entry.device}`,
      ),
    ),
  );
  return h(
    'div',
    {},
    h('h2', { tabindex: -1 }, kernel.short),
    h('p', {}, h('code', {}, kernel.name), kernel.source && ` in ${kernel.source}`),
    kernel.runs.length > 0 && h('div', { class: 'form' }, h('label', { for: 'class' }, 'Launches'), choice),
    kernel.notTuned.map((each) =>
      h(
        'p',
        { class: 'missing' },
        `Not tuned${each.class ? ` (${shortClass(each.class)})` : ''}: ${inUnits(each.reason)}`,
      ),
    ),
    h(
      'nav',
      { class: 'parts', 'aria-label': `Parts of ${kernel.short}` },
      h(
        'ul',
        {},
        parts.map(([part, title]) => h('li', {}, kernelLink(kernel, part, title, run))),
      ),
    ),
    grains(model, kernel, run, grain),
    run && measurements(run),
    bounds(model, run),
    code(kernel, run),
    targets(kernel),
    history(model, kernel),
  );
}

function inputsPage(model: Model): HTMLElement {
  const version = (each: Envelope['documents'][number]['document']) => {
    const { version: number, schema } = each as unknown as {
      version?: { major: number; minor: number };
      schema?: string;
    };
    return 'regrain_tuning' in each
      ? `database export ${each.regrain_tuning}`
      : `${schema} ${number ? `${number.major}.${number.minor}` : ''}`;
  };
  return h(
    'div',
    {},
    h('h2', { tabindex: -1 }, 'Inputs'),
    h('p', {}, `Made by ${model.envelope.producer} from these reports alone:`),
    h(
      'ul',
      {},
      model.envelope.documents.map((each) => h('li', {}, h('code', {}, each.name), ` – ${version(each.document)}`)),
    ),
  );
}

const main = () => document.querySelector('main')!;

function replace(page: Child): void {
  main().replaceChildren(...[page as Node]);
}

/** The last page, so that a link to another part of it does not build it again. */
let shown: string | undefined;

/** A text of the address; one that was not written by this page may have a sign that cannot be decoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function show(model: Model): void {
  const [, page = '', index = '0', part = '', of = '0', grain = ''] = location.hash.split('/').map(decoded);
  const kernel = model.kernels[Number(index)];
  // Who chooses another class goes on choosing.
  const isChoosing = document.activeElement?.id === 'class';
  const address = page === 'kernel' ? `${page}/${index}/${of}/${grain}` : page;
  if (address !== shown) {
    if (page === 'kernel' && kernel) replace(kernelPage(model, kernel, kernel.runs[Number(of)] ?? kernel.runs[0], grain));
    else if (page === 'kernels') replace(kernelsPage(model));
    else if (page === 'targets') replace(allTargets(model));
    else if (page === 'history') replace(allHistory(model));
    else if (page === 'inputs') replace(inputsPage(model));
    else if (page === 'words') replace(wordsPage(model));
    else replace(overview(model));
  }
  const isFirst = shown === undefined && !location.hash;
  shown = address;
  for (const link of document.querySelectorAll('header nav a')) {
    if (link.getAttribute('href') === `#/${page === 'kernel' ? 'kernels' : page}`)
      link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (isFirst) return;
  const choice = isChoosing && document.getElementById('class');
  if (choice) return choice.focus({ preventScroll: true });
  const target = part ? document.getElementById(part) : null;
  (target ?? document.querySelector('header'))!.scrollIntoView();
  (target?.querySelector<HTMLElement>('h3') ?? main().querySelector<HTMLElement>('h2'))?.focus({ preventScroll: true });
}

function start(): void {
  const model = makeModel(unpack(JSON.parse(document.getElementById('data')!.textContent!)) as Envelope);
  document.getElementById('summary')!.textContent = [
    plural(model.kernels.length, 'kernel'),
    plural(model.programs.filter((each) => !each.isStored).length, 'tuning run'),
    ...devicesOf(model).map((each) => deviceWords(model, each)),
  ].join(' · ');
  addEventListener('hashchange', () => show(model));
  show(model);
}

start();
