// What the modes of contact points mean. Set-valued integrators tell slip from stick; smooth ones record that a contact
// lasts and no more, so the page must not call it slip. The header says which.
import type { Header } from './data_block';

export type ModeRole = 'open' | 'slip' | 'stick' | 'contact';   // also the name of its colour
export interface Mode { role: ModeRole; label: string }

const OPEN: Mode = { role: 'open', label: 'open' };
export const CONTACT: Mode = { role: 'contact', label: 'in contact' };

// By the number that is recorded: 0, 1, 2.
export function modesOf(header: Header): Mode[] {
  if (header.modes === 'contact') return [OPEN, CONTACT, CONTACT];
  return [OPEN, { role: 'slip', label: 'slip' }, { role: 'stick', label: 'stick' }];
}
