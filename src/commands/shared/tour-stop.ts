/** The variable in which the tour tells its live view at which stop it is: `8 of 20`. */
export const TOUR_STOP = 'SVC_TOUR_STOP';
