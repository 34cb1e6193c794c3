/** The words of a name in lower case: `patient_nbr`, `imagingCentre`, `Region 2`. */
export const nameWords = (name: string): string[] =>
  name
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());

const PATIENT =
  /^(patient|pat|subject|subj|participant|person|individual|donor|animal|pid|mrn)s?( ?(id|ids|no|nr|nbr|num|number|code))?$/;

const SITE =
  /^(site|centre|center|hospital|clinic|ward|scanner|device|institution|batch)( ?(id|ids|no|nr|nbr|num|number|code|name))?$/;

/** `site`, `hospital_id`, but not `primary_site`: the whole name says that patients are from there. */
export const saysSite = (name: string): boolean => SITE.test(nameWords(name).join(' '));

/** `visitDate`, `timestamp`: a word of the name says that it is a point in time. */
export const saysTime = (name: string): boolean =>
  nameWords(name).some((word) => /^(date|datetime|timestamp)s?$/.test(word));

/** `latitude`, `easting`, `x_coord`: a place whatever stands beside it. `lat` and `lon` are places in pairs alone. */
export const saysPlace = (name: string): boolean =>
  nameWords(name).some((word) => /^(latitude|longitude|easting|northing|coord|coordinate)s?$/.test(word));

/** `Patient`, `subject_id`, `participantNo`, but not `patient_visit`: the whole name says that it is the patient. */
export const saysPatient = (name: string): boolean => PATIENT.test(nameWords(name).join(' '));

/** The level of a hierarchy that holds the patients: the one called `patient`, else the first whose name says so. */
export const patientLevelOf = (hierarchy: object): string | undefined =>
  'patient' in hierarchy ? 'patient' : Object.keys(hierarchy).find(saysPatient);
