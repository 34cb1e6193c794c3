/** Packages that are installed by who needs them, loaded on first use. */
import { MissingPackageError } from '../core/errors.js';

const importNamed = (name: string): Promise<unknown> => import(/* @vite-ignore */ /* webpackIgnore: true */ name);

/** Imports an optional package, or throws {@link MissingPackageError} with the command that installs it. */
export async function optionalPackage<T>(name: string, purpose: string, load = importNamed): Promise<T> {
  const module = (await load(name).catch((error) => {
    const install = name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : name;
    throw new MissingPackageError(install, purpose, `npm install ${install}`, error);
  })) as { default?: unknown };
  return (module.default ?? module) as T;
}
