import type { Task } from '../data/labels.js';

/** The method when the caller named none, and why: patients are kept whole, classes balanced. */
export function defaultMethod(task: Task, repeatedGroups: boolean, masks = false): { method: string; why: string } {
  if (task === 'multilabel' && !masks) {
    return repeatedGroups
      ? { method: 'multilabel_stratified_group_kfold', why: 'y has several labels per row and patients repeat' }
      : { method: 'multilabel_stratified_kfold', why: 'y has several labels per row' };
  }
  const whole = masks || task === 'regression';
  if (repeatedGroups) {
    return whole
      ? { method: 'patient_grouped_kfold', why: 'patients repeat' }
      : { method: 'stratified_group_kfold', why: 'patients repeat' };
  }
  return whole
    ? { method: 'kfold', why: masks ? 'y is masks' : 'y is numbers' }
    : { method: 'stratified_kfold', why: 'y has classes and no patient is known to repeat' };
}
