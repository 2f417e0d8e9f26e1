// Building elements. All text from the documents becomes text nodes and attributes, never markup.

export type Child = Node | string | number | null | undefined | false | Child[];
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, children);
}

export function append(parent: Element, children: Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) append(parent, child);
    else if (child !== null && child !== undefined && child !== false)
      parent.append(child instanceof Node ? child : String(child));
  }
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function svg(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(element, attributes, children);
  return element;
}

export interface Column<Row> {
  title: string;
  cell: (row: Row) => Child;
  number?: boolean;
  /** The cell names the row. */
  head?: boolean;
}

/** A table that scrolls sideways by itself where the window is narrow. */
export function table<Row>(
  caption: string,
  columns: Column<Row>[],
  rows: Row[],
  rowAttributes: (row: Row) => Attributes = () => ({}),
): HTMLElement {
  const cell = (column: Column<Row>, row: Row) =>
    column.head
      ? h('th', { scope: 'row' }, column.cell(row))
      : h('td', { class: column.number ? 'number' : null }, column.cell(row));
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
    h(
      'table',
      {},
      h('caption', {}, caption),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          columns.map((column) => h('th', { scope: 'col', class: column.number ? 'number' : null }, column.title)),
        ),
      ),
      h(
        'tbody',
        {},
        rows.map((row) =>
          h(
            'tr',
            rowAttributes(row),
            columns.map((column) => cell(column, row)),
          ),
        ),
      ),
    ),
  );
}

/** A section with a heading that a link can name. */
export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return h(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    h('h3', { id: `${id}-title`, tabindex: -1 }, title),
    ...children,
  );
}

export const note = (...children: Child[]) => h('p', { class: 'note' }, ...children);
