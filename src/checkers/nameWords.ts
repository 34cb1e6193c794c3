/** The words of a name in lower case: `patient_nbr`, `imagingCentre`, `Region 2`. */
export const nameWords = (name: string): string[] =>
  name
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());

const PATIENT =
  /^(patient|pat|subject|subj|participant|person|individual|donor|animal|pid|mrn)s?( ?(id|ids|no|nr|nbr|num|number|code))?$/;

/** `Patient`, `subject_id`, `participantNo`, but not `patient_visit`: the whole name says that it is the patient. */
export const saysPatient = (name: string): boolean => PATIENT.test(nameWords(name).join(' '));

/** The level of a hierarchy that holds the patients: the one called `patient`, else the first whose name says so. */
export const patientLevelOf = (hierarchy: object): string | undefined =>
  'patient' in hierarchy ? 'patient' : Object.keys(hierarchy).find(saysPatient);
