import { describe, expect, it } from 'vitest';
import { createRegistry, type Named } from '../../src/core/registry.js';
import { failure } from '../helpers/failure.js';

const filled = () => {
  const registry = createRegistry<Named>('check kind');
  registry.add({ name: 'patient', aliases: ['subject'] });
  registry.add({ name: 'temporal' });
  return registry;
};

describe('a registry', () => {
  it('finds members by name and alias, and lists names in order', () => {
    const registry = filled();
    expect(registry.get('subject')).toBe(registry.get('patient'));
    expect(registry.has('subject')).toBe(true);
    expect(registry.has('spatial')).toBe(false);
    expect(registry.names()).toEqual(['patient', 'temporal']);
    expect([...registry].map((member) => member.name)).toEqual(['patient', 'temporal']);
  });

  it.each([
    [{ name: 'patient' }, 'patient'],
    [{ name: 'subject' }, 'subject'],
    [{ name: 'new', aliases: ['temporal'] }, 'temporal'],
    [{ name: 'new', aliases: ['subject'] }, 'subject'],
  ])('refuses a name that is taken: %o', (member, taken) => {
    const registry = filled();
    expect(() => registry.add(member)).toThrow(
      `The check kind '${taken}' is already registered. Use another name, or the one that is there.`,
    );
    expect(registry.names()).toEqual(['patient', 'temporal']);
    expect(registry.has('new')).toBe(false);
  });

  it('answers an unknown name with the nearest known one, else with all', () => {
    const unknown = (name: string) => failure(() => filled().get(name)).replace('unknown_check_kind: ', '');
    expect(unknown('temporl')).toBe("There is no check kind 'temporl'. Did you mean 'temporal'?");
    expect(unknown('leak')).toBe("There is no check kind 'leak'. Known: patient, temporal.");
  });

  it('forgets a removed member with its aliases, and takes it again', () => {
    const registry = filled();
    const patient = registry.get('patient');
    registry.remove('patient');
    expect(registry.has('subject')).toBe(false);
    registry.remove('patient');
    registry.add(patient);
    expect(registry.names()).toEqual(['temporal', 'patient']);
  });
});
