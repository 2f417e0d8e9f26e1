// The versioned JSON that the page reads (docs/report-schema.md, docs/tuning-database.md). Fields that a
// minor version has added may be missing.

export interface Position {
  file: string | null;
  line: number;
}

export interface Refusal extends Position {
  kernel: string;
  id: string;
  stage: string;
  column: number;
  reason: string;
  kind?: string | null;
  remedy?: string | null;
}

export interface Code {
  kind: string;
  arch: string;
  symbol: string | null;
  registers?: number | null;
  spill_store_bytes?: number | null;
  spill_load_bytes?: number | null;
  stack_bytes?: number | null;
  static_shared_bytes?: number | null;
  code_bytes?: number | null;
  occupancy_percent?: number | null;
  occupancy_threads?: number | null;
  scalar_registers?: number | null;
  accumulation_registers?: number | null;
  scalar_spills?: number | null;
  vector_spills?: number | null;
  waves?: number | null;
}

export interface Verdict {
  outcome: string;
  stage: string | null;
  reason: string | null;
}
export interface Candidate extends Verdict {
  id: string;
  code: (Verdict & { target: string })[];
}
export interface Alternative {
  id: string;
  block_factors?: number[];
  thread_factors?: number[];
  code: Code[];
}

export interface Memory {
  memory: string;
  reads: boolean;
  writes: boolean;
  places: number;
  bytes_per_thread: string;
  asked_bytes: number;
  touched_bytes: number | null;
}
export interface Arithmetic {
  bits: number | null;
  function: string | null;
  conditional: boolean;
  per_thread: string;
  of_block: number;
}
export interface Footprint {
  /** For which it is counted; null: for any. */
  launch?: string | null;
  block: number[];
  trips: number;
  trips_given?: boolean;
  sector_bytes: number;
  memories: Memory[];
  unknown: (Position & { memory: string; reason: string })[];
  arithmetic?: Arithmetic[] | null;
}

export interface Access {
  memory: string;
  access: string;
  bits: number | null;
  hint: string | null;
}
export interface Instruction {
  text: string;
  opcode: string;
  file: string | null;
  line: number;
  access: Access | null;
}
export interface Side {
  alternative: string;
  has_lines: boolean;
  totals: Record<string, number | null>;
  accesses: (Access & { opcodes: string[]; count: number })[];
  instructions: Instruction[];
}
export interface Listing {
  form: string;
  arch: string;
  missing: string | null;
  sides: Side[];
  source?: { file: string; line: number; text: string }[];
}

export interface ReportKernel {
  name: string;
  symbol: string;
  file: string | null;
  line: number;
  hash?: string | null;
  not_replayable?: string | null;
  chosen?: string;
  alternatives?: Alternative[];
  candidates?: Candidate[];
  footprint?: Footprint | null;
  launch_footprints?: Footprint[];
  listing?: Listing | null;
}
export interface Image {
  source: string;
  producer: string;
  targets: { kind: string; arch: string; generation?: string | null }[];
  kernels: ReportKernel[];
  refusals: Refusal[];
}
export interface ReportDocument {
  schema: 'regrain-report';
  file: string;
  images: Image[];
  damaged: { message: string }[];
}

export interface GrainGroup {
  state: string;
  families: string[];
  ids: string[];
  refusal?: Refusal;
  findings?: { id: string; target: string; stage: string; reason: string }[];
}
export interface ExplainedKernel {
  name: string;
  symbol: string;
  file: string | null;
  line: number;
  grains: GrainGroup[];
}
export interface ExplanationDocument {
  schema: 'regrain-explanation';
  files: { file: string; kernels: ExplainedKernel[] }[];
}

export interface Key {
  hash: string;
  generation?: string;
  device: string;
  multiprocessors?: number;
  driver: number;
  compiler: string;
}
export interface Measurement {
  alternative: string;
  launch: number;
  weight?: number;
  blocks?: number;
  original_us: number;
  candidate_us: number;
  gain: number;
  gain_low: number;
  gain_high: number;
  pairs: number;
  outcome: string;
  seconds?: number;
}
export interface Choice {
  class: string;
  alternative: string;
  verdict: string;
  original_us: number;
  chosen_us: number;
  gain: number;
  gain_low: number;
  gain_high: number;
  launches: number;
  verified: string;
  when: string;
  /** The block and the integers that all measured launches had. */
  launch?: string | null;
}
export interface ShortCode {
  registers: number | null;
  occupancy_percent: number | null;
  occupancy_threads: number | null;
}
export interface TuningClass extends Key, Choice {
  kernel: string;
  original_code: ShortCode | null;
  chosen_code: ShortCode | null;
  measurements: Measurement[];
}
export interface TuningDocument {
  schema: 'regrain-tuning';
  command: string[];
  session: string;
  mode: string;
  survey?: boolean;
  surveyed_seconds?: number | null;
  budget_seconds: number;
  seconds: number;
  gave_up: string | null;
  nothing_tuned: string | null;
  restarts: number;
  interrupted: boolean;
  exit_code: number;
  classes: TuningClass[];
  not_tuned: (Key & { kernel: string; class: string; reason: string })[];
  not_tried?: (Key & { kernel: string; class: string; alternatives: string[]; budget_for_all_seconds: number })[];
  excluded: (Key & { kernel: string; alternative: string; reason: string; when: string })[];
}

export interface DatabaseDocument {
  regrain_tuning: string;
  kernels: (Key & {
    name: string;
    choices: (Choice & { imported: boolean })[];
    exclusions: { alternative: string; reason: string; when: string }[];
    measurements?: (Measurement & { class: string; session: string })[];
  })[];
}

export interface Limits {
  device: string;
  multiprocessors?: number | null;
  copy_bytes_per_second: number | null;
  float_operations_per_second?: number | null;
  double_operations_per_second?: number | null;
  how: string;
}
export interface LimitsDocument {
  schema: 'regrain-limits';
  devices: Limits[];
}

export type Document = ReportDocument | ExplanationDocument | TuningDocument | DatabaseDocument | LimitsDocument;

export interface Multiprocessor {
  waveThreads: number;
  slots: number;
  blocks: number;
  sharedBytes: number;
  sharedUnit: number;
  sharedOfSystem: number;
  registers: number;
  registerUnit: number;
  slotUnit: number;
}

/** What regrain report embeds: the documents, and what the keys of grains mean (runtime/image/grain_keys.h). */
export interface Envelope {
  producer: string;
  /** The limits of the NVIDIA chips for which built files have machine code (compiler/Target/Multiprocessor.h). */
  multiprocessors?: Record<string, Multiprocessor>;
  keys: { name: string; help: string }[];
  documents: { name: string; document: Document }[];
}
