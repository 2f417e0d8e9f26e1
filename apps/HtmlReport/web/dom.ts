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

/** A table that scrolls sideways by itself; in a narrow window its rows are blocks with the columns' titles. */
export function table<Row>(
  caption: string,
  columns: Column<Row>[],
  rows: Row[],
  rowAttributes: (row: Row) => Attributes = () => ({}),
): HTMLElement {
  const cell = (column: Column<Row>, row: Row) =>
    column.head
      ? h('th', { scope: 'row', role: 'rowheader' }, column.cell(row))
      : h(
          'td',
          { role: 'cell', class: column.number ? 'number' : null, 'data-label': column.title },
          column.cell(row),
        );
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
    h(
      // Roles, because narrow windows show the rows as blocks.
      'table',
      { class: 'rows', role: 'table' },
      h('caption', {}, caption),
      h(
        'thead',
        { role: 'rowgroup' },
        h(
          'tr',
          { role: 'row' },
          columns.map((column) => h('th', { scope: 'col', role: 'columnheader', class: column.number ? 'number' : null }, column.title)),
        ),
      ),
      h(
        'tbody',
        { role: 'rowgroup' },
        rows.map((row) =>
          h(
            'tr',
            { role: 'row', ...rowAttributes(row) },
            columns.map((column) => cell(column, row)),
          ),
        ),
      ),
    ),
  );
}

/** A table whose rows behind the first are folded: the parts behind it would be far away. */
export function longTable<Row>(caption: string, columns: Column<Row>[], rows: Row[], shown: number): Child {
  const more = rows.slice(shown);
  return [
    table(caption, columns, rows.slice(0, shown)),
    more.length > 0 &&
      h(
        'details',
        {},
        h('summary', {}, `${more.length} more ${more.length === 1 ? 'row' : 'rows'}`),
        table(`The other rows: ${caption}`, columns, more),
      ),
  ];
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

/** How wide a chart is drawn, so that its texts keep their size in a narrow window. */
export const chartWidth = () => Math.max(300, Math.min(640, document.documentElement.clientWidth - 40));

export const note = (...children: Child[]) => h('p', { class: 'note' }, ...children);
