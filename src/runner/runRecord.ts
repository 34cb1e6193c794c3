/** What a fold needs of its run where it has nothing else: in another thread or process. Plain data. */
import type { PortableLabels, PortableRows } from '../data/portable.js';
import type { SideData } from '../data/sideData.js';
import type { SavingRun } from './foldServices.js';

export interface RunRecord {
  /** Differs from that of every other run of this process. */
  readonly id: string;
  /** file: URL of the module that exports the model factory. */
  readonly model: string;
  /** The factory is given the parameters of the trial first. */
  readonly takesParams: boolean;
  readonly framework: string;
  readonly adapterOptions: Readonly<Record<string, unknown>>;
  /** What the adapter told of its engine, which must be the same where the fold runs. */
  readonly engine: Readonly<Record<string, string>>;
  /** The steps of `preprocessing` before they are fitted, as plain data; undefined where there are none. */
  readonly preprocessing: unknown;
  readonly X: PortableRows;
  readonly y: PortableLabels;
  readonly auxiliary: Readonly<Record<string, PortableLabels>> | undefined;
  readonly groups: SideData['groups'];
  readonly weight: Float64Array | undefined;
  readonly positive: number;
  readonly saving: SavingRun;
}
