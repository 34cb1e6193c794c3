# Writes sites.json beside this file: references of randomEffects and acrossSites.
# Run: Rscript test/reference/sites.R (R packages metafor, pROC, jsonlite)
suppressPackageStartupMessages({
  library(metafor)
  library(pROC)
})
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))

# metafor stops its iterations early by default.
fit <- function(yi, vi, level = 95) {
  # Without variance between sites Knapp and Hartung's bound.
  tau2 <- rma(yi, vi, method = "REML", control = list(threshold = 1e-14, maxiter = 1000))$tau2
  test <- if (tau2 == 0) "adhoc" else "knha"
  m <- rma(yi, vi, method = "REML", test = test, level = level, control = list(threshold = 1e-14, maxiter = 1000))
  p <- predict(m)
  list(yi = as.numeric(yi), vi = as.numeric(vi), level = level / 100, estimate = as.numeric(m$beta), se = m$se,
       lower = m$ci.lb, upper = m$ci.ub, piLower = p$pi.lb, piUpper = p$pi.ub, tau2 = m$tau2, i2 = m$I2 / 100, q = m$QE,
       weights = as.numeric(weights(m)) / 100)
}
bcg <- escalc(measure = "RR", ai = tpos, bi = tneg, ci = cpos, di = cneg, data = dat.bcg)
cases <- list(
  bcg = fit(bcg$yi, bcg$vi),
  bcg90 = fit(bcg$yi, bcg$vi, level = 90),
  five = fit(bcg$yi[1:5], bcg$vi[1:5]),
  homogeneous = fit(c(0.9, 1, 1.1, 1.05), c(0.2, 0.1, 0.3, 0.15)),
  two = fit(c(0.2, 1.4), c(0.1, 0.2))
)

# Six sites, one row per patient: AUC with DeLong's variance by pROC, on the logit scale by the delta method.
set.seed(5)
site <- rep(1:6, times = c(40, 60, 35, 80, 50, 45))
n <- length(site)
y <- rbinom(n, 1, 0.4)
p <- round(plogis(c(1.8, 1.1, 0.4, 1.5, 0.9, 2.2)[site] * y - 0.5 + rnorm(n)), 3)
rocs <- lapply(1:6, function(s) roc(y[site == s], p[site == s], quiet = TRUE, direction = "<"))
auc <- sapply(rocs, function(r) as.numeric(auc(r)))
variance <- sapply(rocs, var)
across <- list(site = site, y = y, p = p, auc = auc, variance = variance,
               fit = fit(qlogis(auc), variance / (auc * (1 - auc))^2))

versions <- lapply(c(metafor = "metafor", pROC = "pROC"), function(p) as.character(packageVersion(p)))
versions$R <- paste(R.version$major, R.version$minor, sep = ".")
write(jsonlite::toJSON(list(versions = versions, cases = cases, across = across), auto_unbox = TRUE, digits = NA),
      file.path(here, "sites.json"))
