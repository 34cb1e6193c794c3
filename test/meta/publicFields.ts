/** What types say about every field that a caller can reach from the public classes and functions. */
import ts from 'typescript';
import { programOf, projectFiles, projectPath, walk } from './program.js';

/** How a type has to be converted: see `src/snake/names.ts`. `nothing`: no name in it changes. */
export type Needs = 'fields' | 'record' | 'caller' | 'nothing';

export interface Reached {
  /** Name of the field, method or function. */
  readonly name: string;
  /** Names of the object that holds it. */
  readonly siblings: readonly string[];
  readonly needs: Needs;
  /** Where it was met, for messages. */
  readonly place: string;
}

/** A function of the caller, and what each of its parameters needs. */
export interface Called {
  readonly name: string;
  readonly params: readonly Needs[];
  readonly place: string;
}

/** Interfaces that callers write for cvkit, which keep its names: the plugins of `src/snake/types.ts`. */
const WRITTEN_BY_CALLERS = new Set<string>();
walk(projectFiles(programOf()).get('src/snake/types.ts') as ts.SourceFile, (node) => {
  if (!ts.isTypeAliasDeclaration(node) || !node.name.text.endsWith('Plugin')) return;
  walk(node.type, (each) => {
    if (ts.isTypeReferenceNode(each)) WRITTEN_BY_CALLERS.add(each.typeName.getText().replace('cvkit.', ''));
  });
});
/** Types of the platform that hold values of ours, by their first arguments. */
const CONTAINERS = new Set(['Promise', 'Iterable', 'Iterator', 'ArrayLike', 'IterableIterator', 'IteratorObject']);
const { Any, Unknown, TypeParameter, NonPrimitive } = ts.TypeFlags;

/** Exported as a type alone: callers never make one. */
const isTypeOnly = ({ declarations: [specifier] = [] }: ts.Symbol) =>
  specifier !== undefined &&
  ts.isExportSpecifier(specifier) &&
  (specifier.isTypeOnly || specifier.parent.parent.isTypeOnly);

export class PublicFields {
  readonly checker: ts.TypeChecker;
  readonly reached: Reached[] = [];
  readonly called: Called[] = [];
  /** Every name that is declared in what was reached, options included. */
  readonly names = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #needs = new Map<ts.Type, Needs>();
  readonly #open = new Set<ts.Type>();
  readonly #changes = new Map<ts.Type, boolean>();

  constructor(overlay: Readonly<Record<string, string>> = {}) {
    const program = programOf(overlay);
    this.checker = program.getTypeChecker();
    const root = projectFiles(program).get('src/index.ts') as ts.SourceFile;
    for (const symbol of this.checker.getExportsOfModule(this.checker.getSymbolAtLocation(root) as ts.Symbol)) {
      const real = symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
      if (/Error$/.test(symbol.name)) continue;
      if (real.flags & ts.SymbolFlags.Class) this.#class(real, isTypeOnly(symbol));
      else if (real.valueDeclaration) this.#function(real);
      else if (symbol.name === 'CVCallback') this.#hooks(real);
      else if (symbol.name === 'RunnerEvents') this.#events(real);
    }
  }

  #class(symbol: ts.Symbol, madeByUs: boolean): void {
    this.#give(this.checker.getDeclaredTypeOfSymbol(symbol), { name: '', owner: undefined, place: symbol.name });
    if (madeByUs) return;
    for (const signature of this.checker.getTypeOfSymbol(symbol).getConstructSignatures())
      this.#take(signature, symbol.name);
  }

  #function(symbol: ts.Symbol): void {
    for (const signature of this.checker.getTypeOfSymbol(symbol).getCallSignatures()) {
      // What is registered comes back as it is.
      if (/^(register|define)/.test(symbol.name)) continue;
      this.#give(signature.getReturnType(), { name: '', owner: undefined, place: symbol.name });
      this.#take(signature, symbol.name);
    }
  }

  #hooks(symbol: ts.Symbol): void {
    for (const hook of this.checker.getDeclaredTypeOfSymbol(symbol).getProperties()) {
      const type = this.checker.getNonNullableType(this.checker.getTypeOfSymbol(hook));
      for (const signature of type.getCallSignatures()) this.#call(hook.name, signature, `CVCallback.${hook.name}`);
    }
  }

  #events(symbol: ts.Symbol): void {
    for (const event of this.checker.getDeclaredTypeOfSymbol(symbol).getProperties()) {
      const tuple = this.checker.getTypeOfSymbol(event) as ts.TypeReference;
      const params = this.checker.getTypeArguments(tuple);
      const place = `RunnerEvents.${event.name}`;
      this.called.push({ name: event.name, params: params.map((each) => this.needsOf(each)), place });
      for (const each of params)
        if (this.needsOf(each) === 'fields') this.#give(each, { name: '', owner: undefined, place });
    }
  }

  /** Follows what is given out. */
  #give(type: ts.Type, at: { name: string; owner: ts.Type | undefined; place: string }): void {
    const key = `${at.name}|${idOf(type)}|${at.owner && idOf(at.owner)}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (type.isUnion()) {
      for (const each of type.types) this.#give(each, at);
      return;
    }
    const inner = this.#inside(type);
    if (inner) {
      for (const each of inner) this.#give(each, at);
      return;
    }
    const calls = type.getCallSignatures();
    for (const signature of calls) {
      this.#give(signature.getReturnType(), at);
      this.#take(signature, at.place);
    }
    if (calls.length > 0) return;
    const needs = this.needsOf(type);
    const siblings = at.owner?.getProperties().map(({ name }) => name) ?? [];
    this.reached.push({ name: at.name, siblings, needs, place: at.place });
    if (needs === 'caller') return;
    const index = this.checker.getIndexInfoOfType(type, ts.IndexKind.String);
    if (index) this.#give(index.type, { name: '', owner: undefined, place: `${at.place}[]` });
    else if (isOurs(type)) {
      for (const property of this.#publicOf(type)) {
        this.names.add(property.name);
        const place = `${type.symbol?.name}.${property.name}`;
        this.#give(this.checker.getTypeOfSymbol(property), { name: property.name, owner: type, place });
      }
    }
  }

  /** Follows what is taken: functions of the caller, which are called with something of ours. */
  #take(signature: ts.Signature, place: string): void {
    for (const parameter of signature.parameters) this.#read(this.checker.getTypeOfSymbol(parameter), '', place, 0);
  }

  #read(type: ts.Type, name: string, place: string, depth: number): void {
    const key = `<${name}|${idOf(type)}`;
    if (this.#seen.has(key) || depth > 4) return;
    this.#seen.add(key);
    const target = type.flags & TypeParameter ? this.checker.getBaseConstraintOfType(type) : type;
    if (!target) return;
    const parts = target.isUnion() ? target.types : this.#inside(target);
    if (parts) {
      for (const each of parts) this.#read(each, name, place, depth);
      return;
    }
    if (
      WRITTEN_BY_CALLERS.has(target.symbol?.name) ||
      !(target.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))
    )
      return;
    const calls = target.getCallSignatures();
    if (calls.length > 0) {
      // One that has no name of an option listens; its arguments are converted, all of them.
      if (name !== '') for (const each of calls) this.#call(name, each, place);
      return;
    }
    const index = this.checker.getIndexInfoOfType(target, ts.IndexKind.String);
    if (index) this.#read(index.type, name, place, depth + 1);
    else if (isPlain(target) && !hasMethod(target)) {
      for (const property of this.#publicOf(target)) {
        this.names.add(property.name);
        // Names within a value are those of the caller's data.
        this.#read(this.checker.getTypeOfSymbol(property), depth === 0 ? property.name : '', `${place}>`, depth + 1);
      }
    }
  }

  #call(name: string, signature: ts.Signature, place: string): void {
    const params = signature.parameters.map((each) => this.checker.getTypeOfSymbol(each));
    this.called.push({ name, params: params.map((each) => this.needsOf(each)), place });
    for (const each of params) {
      if (this.needsOf(each) === 'fields') this.#give(each, { name: '', owner: undefined, place });
    }
  }

  /** What a type asks for; one that holds itself, as JSON does, is of the caller. */
  needsOf(type: ts.Type): Needs {
    const known = this.#needs.get(type);
    if (known !== undefined) return known;
    this.#needs.set(type, 'nothing');
    this.#open.add(type);
    const needs = this.#find(type);
    this.#open.delete(type);
    this.#needs.set(type, needs);
    return needs;
  }

  #find(type: ts.Type): Needs {
    if (type.flags & (Any | Unknown | TypeParameter | NonPrimitive)) return 'caller';
    if (type.isUnion()) {
      const all = [...new Set(type.types.map((each) => this.needsOf(each)))].filter((each) => each !== 'nothing');
      return all.includes('fields') ? 'fields' : (all[0] ?? 'nothing');
    }
    const inner = this.#inside(type);
    if (inner) return inner.map((each) => this.needsOf(each)).find((each) => each !== 'nothing') ?? 'nothing';
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return 'nothing';
    if (WRITTEN_BY_CALLERS.has(type.symbol?.name)) return 'caller';
    const index = this.checker.getIndexInfoOfType(type, ts.IndexKind.String);
    if (index) {
      const value = this.#open.has(index.type) ? 'caller' : this.needsOf(index.type);
      // Records of records, and of what nobody knows, are left alone.
      return value === 'caller' || value === 'record' ? 'caller' : 'record';
    }
    return isOurs(type) && this.#changesNames(type) ? 'fields' : 'nothing';
  }

  /** Whether a name in an object of ours, or in what it holds, is another one in snake_case. */
  #changesNames(type: ts.Type): boolean {
    const known = this.#changes.get(type);
    if (known !== undefined) return known;
    this.#changes.set(type, false);
    const changes = this.#publicOf(type).some(({ name, ...rest }) => {
      if (/[A-Z]/.test(name.slice(1)) || /^[A-WYZ]/.test(name)) return true;
      const inside = this.checker.getTypeOfSymbol(rest as ts.Symbol);
      return inside.getCallSignatures().length === 0 && this.needsOf(inside) === 'fields';
    });
    this.#changes.set(type, changes);
    return changes;
  }

  /** Types within a list, a promise or an iterable; undefined for anything else. */
  #inside(type: ts.Type): readonly ts.Type[] | undefined {
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type)) {
      return this.checker.getTypeArguments(type as ts.TypeReference);
    }
    if (!CONTAINERS.has(type.symbol?.name) || isOurs(type)) return undefined;
    return this.checker.getTypeArguments(type as ts.TypeReference).slice(0, 1);
  }

  #publicOf(type: ts.Type): ts.Symbol[] {
    return type.getProperties().filter((property) => {
      const [declaration] = property.declarations ?? [];
      if (!declaration) return !property.name.startsWith('__');
      const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
      return (
        !/^(__|#)/.test(property.name) &&
        isOfProject(property) &&
        !(ts.getCombinedModifierFlags(declaration as ts.Declaration) & hidden)
      );
    });
  }
}

/** An interface that callers write for cvkit, rather than options: it has methods that cannot be left out. */
const hasMethod = (type: ts.Type) =>
  type.getProperties().some(({ flags }) => flags & ts.SymbolFlags.Method && !(flags & ts.SymbolFlags.Optional));

const idOf = (type: ts.Type) => (type as ts.Type & { readonly id: number }).id;

const isOfProject = (symbol: ts.Symbol | undefined) =>
  symbol?.declarations?.some((each) => /^(src|adapters)\//.test(projectPath(each.getSourceFile().fileName))) ?? false;

/** Declared in this package; a mapped type of it has a symbol that says nothing. */
const isOurs = (type: ts.Type) => isPlain(type) || isOfProject(type.symbol);
const isPlain = (type: ts.Type) =>
  !type.symbol ||
  type.symbol.name === '__type' ||
  type.symbol.name === '__object' ||
  (isOfProject(type.symbol) && !(type.symbol.flags & ts.SymbolFlags.Class));
