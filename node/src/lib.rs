//! The Node package of keyfall: the core for JavaScript, as a Node addon and as WebAssembly. `lib/` holds the JavaScript above
//! it, which is the same for both; `index.d.ts` has its types.

mod engine;

#[cfg(not(target_family = "wasm"))]
mod hot;
#[cfg(not(target_family = "wasm"))]
pub mod native;
#[cfg(target_family = "wasm")]
mod wasm;
