/** Text as it is seen. */

/** Characters that do not show: of no width, marks of direction, soft hyphens. */
const UNSEEN = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;

/** In one of the ways to write an accent or a wide letter (NFKC), without what does not show and blanks at the ends. */
export const withoutUnseen = (text: string): string => text.normalize('NFKC').replace(UNSEEN, '').trim();
