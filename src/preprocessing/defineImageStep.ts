import type { OptionShape, OptionsOf, OptionTable } from '../core/options.js';
import { checkedShape, fields, leaf, type Shape } from '../core/shape.js';
import type { Dense } from '../data/dense.js';
import { type Rows, type RowsInput, rowsOf } from '../data/rows.js';
import { OptionStep, stateFromJSON, stepClass } from './defineTransformer.js';
import { noColumnNames } from './transformer.js';

export interface ImageStepDefinition<S extends OptionShape, State> {
  readonly options: OptionTable<S>;
  /** Left out by steps that learn nothing. */
  readonly learning?: {
    fit(X: Rows, options: OptionsOf<OptionTable<S>>): Promise<State>;
    /** What a state must be that was read from JSON. */
    readonly state: Shape;
  };
  /** The prepared rows, each by itself. Must not change its rows. `state`: of a step that learns. */
  transform(rows: Dense, options: OptionsOf<OptionTable<S>>, state: State): Dense;
}

/** Makes a class of steps for rows of more than one axis, as `defineTransformer` does for tables. */
export const defineImageStep = <S extends OptionShape, State = never>(definition: ImageStepDefinition<S, State>) =>
  stepClass(definition, ImageStep<S, State>);

/** @public The type of its steps. */
export abstract class ImageStep<S extends OptionShape, State> extends OptionStep<S, { readonly state: State }> {
  override readonly isRowwise = true;
  readonly #definition: ImageStepDefinition<S, State>;

  constructor(definition: ImageStepDefinition<S, State>, written: unknown) {
    super(definition.options, written);
    this.#definition = definition;
  }

  getFeatureNamesOut(): readonly string[] {
    throw noColumnNames(`images after ${this.name}`);
  }

  override get learns(): boolean {
    return this.#definition.learning !== undefined;
  }

  /** The prepared rows as `{ data, shape }`. @throws {InvalidDataError} rows of another shape than images have. */
  // biome-ignore lint/suspicious/noExplicitAny: see `Transformer`
  override async transform(X: RowsInput): Promise<any> {
    return (await this.transformRows(rowsOf(X))).toDense();
  }

  override async transformRows(X: Rows): Promise<Rows> {
    const { learning, transform } = this.#definition;
    const state = learning ? this.known.state : (undefined as never);
    return rowsOf(transform(await X.toDense(), this.getParams(), state), `X after ${this.name}`);
  }

  override async fitRows(X: Rows): Promise<void> {
    const { learning } = this.#definition;
    if (learning) this.learn({ state: await learning.fit(X, this.getParams()) });
  }

  protected get fitted(): State {
    return this.known.state;
  }

  restore(fitted: unknown): void {
    const own = this.#definition.learning?.state;
    const shape = own ? fields({ state: own }) : leaf('be null, since nothing is learnt', () => false);
    this.learn(checkedShape(shape, stateFromJSON(fitted), `The JSON of a ${this.name}`));
  }
}
