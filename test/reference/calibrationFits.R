# Writes calibrationFits.json beside this file: logistic fits of R's glm, the reference of test/metrics/calibration and of
# the calibration metrics. Run: Rscript test/reference/calibrationFits.R (R packages jsonlite, rms)
# Coefficients, and covariances as the inverse information (dispersion 1). The rows of `calibration` also have the slope
# and the intercept at slope 1; where there is no finite maximum the fit is null.
suppressPackageStartupMessages(library(rms))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
RNGversion("4.0.0")
set.seed(20265)

# quasibinomial has the same estimates as binomial and takes weights that are no counts.
fitted <- function(formula, data) {
  fit <- glm(formula, quasibinomial, data, weights = w, control = glm.control(epsilon = 1e-15, maxit = 200))
  list(coefficients = unname(coef(fit)), covariance = unname(chol2inv(qr.R(fit$qr))))
}
weights_of <- function(kind, n) switch(kind, none = rep(1, n), counts = c(1, 2, rpois(n - 2, 1)), real = round(runif(n, .1, 3), 3))

fits <- list()
for (kind in c("none", "counts", "real")) for (n in c(25, 80, 400)) {
  d <- data.frame(a = round(rnorm(n), 3), b = round(rnorm(n, 50, 10), 1), o = round(rnorm(n), 2))
  d$y <- rbinom(n, 1, plogis(-2 + .8 * d$a + .04 * d$b + .5 * d$o))
  d$w <- weights_of(kind, n)
  d <- d[order(d$b), ]
  fits[[length(fits) + 1]] <- c(as.list(d), list(
    both = fitted(y ~ a + b, d), offset = fitted(y ~ a + b + offset(o), d), through0 = fitted(y ~ 0 + a, d)
  ))
}

# Probabilities of 0 and 1 are moved to 1e-8 and 1 - 1e-8.
calibration <- list()
for (kind in c("none", "counts", "real")) for (n in c(20, 60, 500)) for (sharp in c(.5, 1, 2.5)) {
  eta <- rnorm(n, -.5, 1.5)
  d <- data.frame(y = rbinom(n, 1, plogis(eta)), p = round(plogis(sharp * eta + .3), 2), w = weights_of(kind, n))
  d$l <- qlogis(pmin(pmax(d$p, 1e-8), 1 - 1e-8))
  joint <- fitted(y ~ l, d)
  large <- fitted(y ~ 1 + offset(l), d)
  # A second implementation, which takes no weights here.
  if (kind == "none" && n > 20) stopifnot(abs(coef(lrm(y ~ l, d, eps = 1e-12, tol = 1e-14))["l"] - joint$coefficients[2]) < 1e-6)
  calibration[[length(calibration) + 1]] <- list(
    yTrue = d$y, yProba = d$p, sampleWeight = if (kind == "none") NULL else d$w,
    slope = joint$coefficients[2], slopeVariance = joint$covariance[2, 2],
    intercept = large$coefficients, interceptVariance = large$covariance[1, 1]
  )
}

reference <- list(
  source = "stats::glm",
  versions = list(R = as.character(getRversion()), rms = as.character(packageVersion("rms"))),
  fits = fits, calibration = calibration
)
writeLines(jsonlite::toJSON(reference, digits = 17, auto_unbox = TRUE, null = "null"), file.path(here, "calibrationFits.json"))
