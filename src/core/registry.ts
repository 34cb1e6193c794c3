import { InvalidOptionError, suggestion } from './errors.js';
import { nameText } from './foreignText.js';

export interface Named {
  readonly name: string;
  readonly aliases?: readonly string[];
}

/** An ordered collection of named members. A name or alias taken twice is refused, an unknown one gets a suggestion. */
export interface Registry<T extends Named> extends Iterable<T> {
  add(member: T): T;
  /** By name or alias; throws {@link InvalidOptionError} with the nearest known name. */
  get(name: string): T;
  has(name: string): boolean;
  remove(name: string): void;
  names(): string[];
}

export function createRegistry<T extends Named>(kind: string): Registry<T> {
  const members = new Map<string, T>();
  const lookup = new Map<string, T>();
  const namesOf = (member: T) => [member.name, ...(member.aliases ?? [])];
  return {
    add(member) {
      for (const name of namesOf(member)) {
        if (!lookup.has(name)) continue;
        const message = `The ${kind} '${nameText(name)}' is already registered. Use another name, or the one that is there.`;
        throw new InvalidOptionError(message, { code: 'duplicate_name' });
      }
      members.set(member.name, member);
      for (const name of namesOf(member)) lookup.set(name, member);
      return member;
    },
    get(name) {
      const member = lookup.get(name);
      if (member) return member;
      const message = `There is no ${kind} '${nameText(name)}'. ${suggestion(name, [...members.keys()])}`;
      throw new InvalidOptionError(message, { code: `unknown_${kind.replaceAll(' ', '_')}` });
    },
    has: (name) => lookup.has(name),
    remove(name) {
      const member = members.get(name);
      if (!member) return;
      members.delete(name);
      for (const each of namesOf(member)) lookup.delete(each);
    },
    names: () => [...members.keys()],
    [Symbol.iterator]: () => members.values(),
  };
}
